"""Watching something: the address of its page, what was read there, and what to wait for."""

from collections.abc import Collection, Mapping

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import Fault, InvalidInput
from app.sources.prices.listing import is_reached
from app.sources.prices.models import Adapter, Trigger
from app.sources.prices.preview import Endpoint, Preview, preview
from app.sources.prices.shops.offer import Price, Unavailable
from app.sources.prices.shops.pace import host_of
from app.sources.prices.watch import watch
from app.sources.prices.wishes import LEAST, MOST, read_wish
from app.transaction import writing
from app.web import previewed, watch_words
from app.web.forms import by_field, typed_in
from app.web.guards import GUESTS_TOO, Pages
from app.web.pace import paced
from app.web.watch import line_of
from app.web.watch_rows import amount, waits_for, where

JSON_FIELDS = ("price_path", "stock_path", "currency")
ADDRESS_FIELDS = ("url", *JSON_FIELDS)
WISH_FIELDS = ("trigger", "target", "percent")
PERCENT = "10"

Answer = Response | str | tuple[str, int]

pages = Pages("watch_new", open_to=GUESTS_TOO)


@pages.get("/watches/new")
def new() -> str:
    """An empty form."""
    return _form(typed_in({}, ADDRESS_FIELDS))


@pages.post("/watches/new")
@paced
def look() -> Answer:
    """Read the page while the person waits, and show what it says."""
    typed = typed_in(request.form, ADDRESS_FIELDS)
    try:
        found = preview(typed["url"], _endpoint(typed))
    except InvalidInput as error:
        return _form(typed, error.faults), 422
    return _found(found, _first_wish(found))


@pages.post("/watches")
@paced
def add() -> Answer:
    """Watch what was previewed."""
    wish = typed_in(request.form, WISH_FIELDS)
    try:
        found = previewed.read(request.form.get("seen", "")) or abort(400)
    except InvalidInput as error:
        return _form(typed_in(request.form, ADDRESS_FIELDS), error.faults), 422
    try:
        wished = read_wish(wish["trigger"], wish["target"], wish["percent"], found.reading, found.currency)
        with writing() as tx:
            made = watch(tx, current_user.id, found.item, found.reading, wished)
    except InvalidInput as error:
        return _found(found, wish, error.faults), 422
    flash(_again(made.id) if made.again else _("It is watched."))
    return redirect(url_for("watch.show", watch_id=made.id), 303)


def _again(watch_id: int) -> str:
    line = line_of(watch_id)
    waits = waits_for(line.wish, line.currency)
    return str(_("You watched this already. What it waits for from now on: %(what)s", what=waits))


def _endpoint(typed: Mapping[str, str]) -> Endpoint | None:
    endpoint = [typed[name] for name in JSON_FIELDS]
    return Endpoint(*endpoint) if any(endpoint) else None


def _first_wish(found: Preview) -> dict[str, str]:
    """What is most likely waited for."""
    likely = Trigger.BACK_IN_STOCK if isinstance(found.reading, Unavailable) else Trigger.BELOW_TARGET
    return {"trigger": likely, "target": "", "percent": PERCENT}


def _form(typed: Mapping[str, str], faults: Collection[Fault] = ()) -> str:
    gives_json = any(typed[name] for name in JSON_FIELDS)
    return render_template("watches/new.html", typed=typed, faults=by_field(faults), gives_json=gives_json)


def _found(found: Preview, wish: Mapping[str, str], faults: Collection[Fault] = ()) -> str:
    reading, item = found.reading, found.item
    currency = item.currency if item.adapter is Adapter.JSON else None
    address = dict(zip(ADDRESS_FIELDS, (item.url, item.price_path, item.stock_path, currency or ""), strict=True))
    title = getattr(reading, "title", "") or host_of(item.url)
    return render_template(
        "watches/preview.html",
        address=address,
        title=title,
        where=where(item.url, title),
        price=amount(reading.amount, reading.currency) if isinstance(reading, Price) else None,
        currency=found.currency,
        silence=found.silence,
        seen=previewed.write(found),
        typed=wish,
        least=LEAST,
        most=MOST,
        faults=by_field(faults),
        is_reached=is_reached(current_user.id),
        watch_words=watch_words,
    )
