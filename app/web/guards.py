"""Who may come in: each group of pages declares it, and what declared nothing stays shut."""

from collections.abc import Collection

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    after_this_request,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_login import current_user
from werkzeug.wrappers import Response as AnyResponse

from app.accounts.models import NAMED, STAFF, Role
from app.accounts.sessions import note_seen
from app.transaction import writing
from app.web import guest_cookie
from app.web.htmx import page_behind, wants_part
from app.web.lost_form import lost_form
from app.web.this_device import browser_hash

__all__ = [
    "ADMINS", "EVERYONE", "GUESTS_TOO", "SIGNED_IN", "STAFF", "Pages", "ask_who", "init_app", "is_guest", "may_enter",
    "signed_out_since",
]  # fmt: skip

ADMINS = frozenset({Role.ADMIN})
SIGNED_IN = frozenset(NAMED)
GUESTS_TOO = frozenset(Role)
EVERYONE = None


class Pages(Blueprint):
    """A group of pages that is open to these roles; `EVERYONE` also lets in whoever is not signed in."""

    def __init__(self, name: str, *, open_to: Collection[Role] | None) -> None:
        super().__init__(name, __name__)
        self.open_to = open_to


def init_app(app: Flask) -> None:
    """Ask at every request, before its view runs."""
    app.before_request(_ask)


def may_enter(role: Role, pages_name: str) -> bool:
    """Whether this role may open these pages: what the navigation shows."""
    pages = current_app.blueprints[pages_name]
    return isinstance(pages, Pages) and (pages.open_to is EVERYONE or role in pages.open_to)


def _ask() -> AnyResponse | None:
    if request.endpoint in (None, "static"):  # no such page, or a file that everyone may have
        return None
    pages = current_app.blueprints.get(request.blueprint or "")
    if not isinstance(pages, Pages):
        abort(403)
    if pages.open_to is EVERYONE:
        return None
    if not current_user.is_authenticated:
        return ask_who()
    if current_user.role not in pages.open_to:
        return ask_who() if is_guest() else abort(403)
    if current_user.stale:  # once an hour a page view writes, and may wait as long as a click does
        with writing() as tx:
            note_seen(tx, current_user.session_id, browser_hash())
        if is_guest():
            after_this_request(guest_cookie.renew)
    return None


def is_guest() -> bool:
    """Whether the reader is a guest: known here, but not signed in."""
    return current_user.is_authenticated and current_user.role is Role.GUEST


def signed_out_since() -> bool:
    """Whether this request is for pages that ask who it is, and nobody is signed in any more."""
    pages = current_app.blueprints.get(request.blueprint or "")
    if not isinstance(pages, Pages) or pages.open_to is EVERYONE:
        return False
    return not current_user.is_authenticated or (is_guest() and Role.GUEST not in pages.open_to)


def ask_who() -> AnyResponse:
    """Ask who it is, and come back afterwards: to the page a person wanted or, after a form or a part, stood on."""
    if wants_part() and request.method == "GET":
        # A tick: nobody asked for anything, and what was typed and ticked on the page would go. app.js says so there.
        return Response(status=401)
    if wants_part():
        # htmx would follow a redirect and put the sign-in page into the middle of this one.
        return Response(status=401, headers={"HX-Redirect": _sign_in(page_behind())})
    if request.method != "POST":
        return redirect(_sign_in(request.full_path.removesuffix("?")))
    form = lost_form()
    return Response(render_template("errors/signed_out.html", form=form, sign_in=_sign_in(form.page)), status=401)


def _sign_in(then: str) -> str:
    return url_for("sign_in.show", next=then)
