"""Small preferences that a browser keeps."""

from datetime import timedelta

from flask import current_app
from werkzeug.wrappers import Response

KEPT = timedelta(days=365)


def keep(response: Response, name: str, value: str) -> Response:
    """Have the browser keep this value for a year."""
    secure = bool(current_app.config["SESSION_COOKIE_SECURE"])
    response.set_cookie(name, value, max_age=KEPT, secure=secure, httponly=True, samesite="Lax")
    return response
