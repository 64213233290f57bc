"""The browser that asks, as a device: it is known by a cookie, so that signing in and out work without JavaScript."""

from flask import current_app, flash, request
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app import tokens
from app.operations import devices
from app.reach.own_devices import OwnDevice, device_here
from app.transaction import writing
from app.web.cookies import keep

COOKIE = "device"


def vapid_key() -> str:
    """Our public key for Web Push, as browsers take it."""
    return str(current_app.config["VAPID_PUBLIC_KEY"])


def browser_hash() -> str | None:
    """By what the devices know this browser; None for one that was never a device."""
    cookie = request.cookies.get(COOKIE)
    return tokens.digest(cookie) if cookie else None


def this_device() -> OwnDevice | None:
    """The device of whoever is signed in on this browser."""
    return device_here(current_user.id, browser_hash(), vapid_key())


def was_device() -> bool:
    """Whether this browser once was a device, by its cookie."""
    return browser_hash() is not None


def cookie_value() -> str:
    """By which this browser is known and the database is not: its cookie, present or new. See `browser_hash`."""
    return request.cookies.get(COOKIE) or tokens.secret()


def remember(answer: Response, cookie: str) -> Response:
    """Let the browser be known again."""
    return keep(answer, COOKIE, cookie)


def forget(answer: Response) -> Response:
    """Leave nothing behind."""
    answer.delete_cookie(COOKIE, samesite="Lax", httponly=True)
    return answer


def arrived(answer: Response, account_id: int) -> Response:
    """Somebody signed in here: what another account left behind is dropped, and they are told."""
    its_hash = browser_hash()
    if its_hash is None:
        return answer
    with writing() as tx:
        dropped = devices.sign_in(tx, account_id, its_hash)
    if dropped:
        flash(_("This browser got the notifications of another account. It no longer does."))
    return answer if device_here(account_id, its_hash, vapid_key()) else forget(answer)
