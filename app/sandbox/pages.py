"""The pages: what arrived, the switches, and forgetting it all. Plain forms; the script only saves pressing Reload."""

from typing import Any

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app import clock
from app.config import LANGUAGES
from app.sandbox import answers, calls
from app.sandbox.drawing import colour_sheet, colours_of
from app.sandbox.entries import entry
from app.sandbox.origins import refuse_foreign_origins
from app.sandbox.store import start_over, store
from app.sandbox.words import LANGUAGE_COOKIE, moment, words_for

_ENTRIES = 30
_MOST_AT_ONCE = 20
_HIGHEST_LIMIT = 1_000_000
_YEAR_SECONDS = 365 * 24 * 60 * 60

pages = Blueprint("pages", __name__)
pages.before_request(refuse_foreign_origins)


@pages.after_request
def _remember_language(response: Response) -> Response:
    response.headers.setdefault("Cache-Control", "no-store")
    wish = request.args.get("lang")
    if wish in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, wish, max_age=_YEAR_SECONDS, httponly=True, samesite="Strict")
    return response


@pages.get("/")
def index() -> Response:
    """What arrived, newest first, and the switches."""
    return _index()


@pages.get("/version")
def version() -> Response:
    """A text that changes when the page would, for the script that looks every two seconds."""
    with store().reading() as db:
        return Response(calls.version(db), mimetype="text/plain")


@pages.get("/colours.css")
def colours() -> Response:
    """The colours of the messages shown, as a style sheet: `of` lists them, joined by dots."""
    sheet = Response(colour_sheet(request.args.get("of", "").split(".")), mimetype="text/css")
    sheet.headers["Cache-Control"] = "max-age=86400"
    return sheet


@pages.post("/answers")
def add_answers() -> AnyResponse:
    """Set the answers of the next pushes."""
    name, count = request.form.get("answer", ""), _number(request.form.get("count"), 1, _MOST_AT_ONCE)
    if name not in answers.ANSWERS:
        return _index(answer="fault_answer")
    if count is None:
        return _index(count="fault_count")
    with store().writing() as db:
        added = answers.add(db, name, count)
    return _home("next") if added else _index(count="fault_full")


@pages.post("/answers/clear")
def clear_answers() -> AnyResponse:
    """Back to ordinary answers."""
    with store().writing() as db:
        answers.clear(db)
    return _home("next")


@pages.post("/limit")
def change_limit() -> AnyResponse:
    """Set the monthly limit."""
    limit = _number(request.form.get("limit"), 0, _HIGHEST_LIMIT)
    if limit is None:
        return _index(limit="fault_limit")
    with store().writing() as db:
        calls.set_monthly_limit(db, limit)
    return _home("month")


@pages.get("/forget")
def ask_to_forget() -> str:
    """Say what will be lost, and ask."""
    with store().reading() as db:
        return render_template("sandbox/forget.html", counts=calls.counts(db), **words_for(request))


@pages.post("/forget")
def forget() -> AnyResponse:
    """Start over."""
    with store().writing() as db:
        start_over(db)
    return redirect(url_for("pages.index"), 303)


def _index(**faults: str) -> Response:
    """The page; `faults` names the word that says what is wrong with a field, and what was typed is kept."""
    said = words_for(request)
    html = render_template("sandbox/index.html", faults=faults, typed=request.form, **_memory(said["lang"]), **said)
    return make_response(html, 400 if faults else 200)


def _memory(lang: str) -> dict[str, Any]:
    before = _number(request.args.get("before"), 0, 2**62)
    with store().reading() as db:
        listed = calls.newest(db, _ENTRIES + 1, before)
        site = current_app.config["SITE"]
        shown = [entry(call, site) for call in listed[:_ENTRIES]]
        return {
            "entries": shown,
            "moments": {one.call.id: moment(one.call.at, lang) for one in shown},
            "colours": ".".join(colours_of(one.call.messages for one in shown if one.drawn)),
            "older": shown[-1].call.id if len(listed) > _ENTRIES else None,
            "before": before,
            "counts": calls.counts(db),
            "version": calls.version(db),
            "waiting": answers.waiting(db),
            "at_start": answers.as_at_the_start(db),
            "answers": list(answers.ANSWERS),
            "limit": calls.monthly_limit(db),
            "used": calls.used_this_month(db, clock.now()),
        }


def _number(text: str | None, least: int, most: int) -> int | None:
    digits = (text or "").strip()
    if not digits.isdecimal() or len(digits) > 19:
        return None
    return int(digits) if least <= int(digits) <= most else None


def _home(anchor: str) -> AnyResponse:
    return redirect(url_for("pages.index", _anchor=anchor), 303)
