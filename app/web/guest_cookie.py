"""The cookie by which a guest is known again, for as long as the browser keeps it."""

from flask import Request, request
from werkzeug.wrappers import Response

from app.accounts.models import Role
from app.accounts.sessions import load
from app.accounts.signed_in import SignedIn
from app.web.cookies import keep

COOKIE = "guest"


def guest_of(asking: Request) -> SignedIn | None:
    """The guest whose browser asks, for where nobody is signed in."""
    secret = asking.cookies.get(COOKIE)
    known = load(secret) if secret else None
    return known if known is not None and known.role is Role.GUEST else None


def remember(answer: Response, secret: str) -> Response:
    """Let the guest be known for another year."""
    return keep(answer, COOKIE, secret)


def renew(answer: Response) -> Response:
    """The same for whoever is known now."""
    return remember(answer, request.cookies[COOKIE])


def forget(answer: Response) -> Response:
    """Know them no more."""
    answer.delete_cookie(COOKIE, samesite="Lax", httponly=True)
    return answer
