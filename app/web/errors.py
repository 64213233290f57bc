"""What a reader sees when a request cannot be answered: what happened, and the way on, in their language."""

from dataclasses import dataclass
from datetime import timedelta

from flask import Flask, Response, g, make_response, render_template
from flask_babel import LazyString
from flask_babel import lazy_gettext as _l
from flask_limiter import RateLimitExceeded
from flask_login import AnonymousUserMixin, current_user
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.wrappers import Response as AnyResponse

from app import i18n
from app.accounts.known import NoSuchAccountError
from app.accounts.sessions import NoSuchSessionError
from app.web import guards
from app.web.htmx import wants_part
from app.web.lost_form import LostForm, lost_form


@dataclass(frozen=True, slots=True)
class Apology:
    """The page of one status."""

    title: LazyString
    sentence: LazyString


APOLOGIES = {
    400: Apology(
        _l("This request was not understood"),
        _l("Something in the address or the form is not what this page expects. Go back, reload and try again."),
    ),
    403: Apology(
        _l("This page is not for your account"),
        _l("Your account may not open it. If you need it, ask an administrator to give you the role."),
    ),
    404: Apology(
        _l("There is no such page"),
        _l("The address is wrong, or what it showed no longer exists."),
    ),
    405: Apology(
        _l("This address does not do that"),
        _l("Go to the page itself and use its buttons."),
    ),
    409: Apology(
        _l("It has moved on meanwhile"),
        _l("It is no longer as you saw it. Reload the page and look again."),
    ),
    410: Apology(
        _l("It no longer exists"),
        _l("What this page showed was deleted. Go back to the list it stood in."),
    ),
    413: Apology(
        _l("This file is too large"),
        _l("Choose a smaller one, or split it and send the parts one by one."),
    ),
    500: Apology(
        _l("Todoke met a fault of its own"),
        _l("Nothing was half stored. Try again in a moment; if it stays, the log of the web process names the cause."),
    ),
}

SESSION_OVER = Apology(
    _l("This form was open for too long"),
    _l("You have signed out or in since it was opened, or cookies are off. Nothing was stored. Open it again."),
)


def init_app(app: Flask) -> None:
    """Answer every failure in words."""
    app.register_error_handler(CSRFError, _of_session)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(RateLimitExceeded, _of_limit)
    app.register_error_handler(NoSuchSessionError, lambda _error: guards.ask_who())
    app.register_error_handler(NoSuchAccountError, _of_account)


def _of_session(_error: CSRFError) -> AnyResponse:
    if guards.signed_out_since():
        return guards.ask_who()
    return answer(SESSION_OVER, 400, lost_form() if current_user.is_authenticated else None)


def _of_account(error: NoSuchAccountError) -> AnyResponse:
    """It was deleted while somebody was busy with it. Whose own it was is signed out by that."""
    if current_user.is_authenticated and current_user.id == error.account_id:
        return guards.ask_who()
    return answer(APOLOGIES[404], 404)


def _of_http(error: HTTPException) -> Response | HTTPException:
    if error.response is not None or error.code is None:  # an answer that somebody made on purpose
        return error
    apology = APOLOGIES.get(error.code) or APOLOGIES[500 if error.code >= 500 else 400]
    response = answer(apology, error.code)
    if isinstance(error, MethodNotAllowed):
        response.allow.update(error.valid_methods or ())
    return response


def _of_limit(error: RateLimitExceeded) -> Response:
    """Says after how long whoever asked too often may ask again: at most the time in which so many may be asked."""
    window = timedelta(seconds=error.limit.limit.get_expiry())
    waits = i18n.duration(window, i18n.language())
    response = answer(Apology(_l("Too many tries"), _l("Wait %(time)s, then try again.", time=waits)), 429)
    response.retry_after = window // timedelta(seconds=1)
    return response


def answer(apology: Apology, status: int, form: LostForm | None = None) -> Response:
    """The page, or for htmx the part, that says so."""
    if status >= 500 and "_login_user" not in g:
        # Who is signed in stands in the database, which may be what failed.
        g._login_user = AnonymousUserMixin()
    return make_response(render_template(_template(status), apology=apology, status=status, form=form), status)


def _template(status: int) -> str:
    if wants_part():
        return "errors/_part.html"
    return "errors/framed.html" if status < 500 and current_user.is_authenticated else "errors/show.html"
