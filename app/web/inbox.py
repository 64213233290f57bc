"""The inbox."""

from flask import render_template, request

from app.web import inbox_keys, inbox_undo
from app.web.guards import GUESTS_TOO, Pages
from app.web.htmx import wants_part
from app.web.inbox_asked import Asked, read
from app.web.inbox_list import appended, listing

pages = Pages("inbox", open_to=GUESTS_TOO)


@pages.get("/inbox")
def index() -> tuple[str, int]:
    """The list; for a tick what is on the screen, and for its end the page after that."""
    asked = read(request.args)
    if asked.faults:
        return _whole(asked), 422
    if not wants_part():
        return _whole(asked), 200
    return (_rows(asked) if asked.above else part(asked)), 200


@pages.get("/inbox/badge")
def badge() -> str:
    """The number that waits, for pages that are not the inbox."""
    return render_template("inbox/_badge.html")


def part(asked: Asked, done: inbox_undo.Done | None = None) -> str:
    """The list as it stands now, for a tick or after an act; with the badge that agrees with it."""
    return render_template("inbox/_part.html", asked=asked, listing=listing(asked), done=done)


def _rows(asked: Asked) -> str:
    return render_template("inbox/_rows.html", asked=asked, listing=appended(asked))


def _whole(asked: Asked) -> str:
    return render_template(
        "inbox/index.html",
        asked=asked,
        listing=None if asked.faults else listing(asked),
        done=inbox_undo.take(),
        keys_on=inbox_keys.on(),
    )
