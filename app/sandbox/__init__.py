"""The stand-in for LINE, a push service and a shop: a Flask app of its own that behaves as they do where it matters.

It shows what arrived.
"""

from pathlib import Path

from flask import Flask, Response, g, render_template, request
from werkzeug.exceptions import HTTPException

from app.config import ROOT
from app.sandbox import ids
from app.sandbox.checks import LARGEST_REQUEST
from app.sandbox.pages import pages
from app.sandbox.push import api, refused
from app.sandbox.push_service import push_service
from app.sandbox.shop import shop
from app.sandbox.store import Store, attach
from app.sandbox.words import WORDS, words_for

_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def create_sandbox(path: Path, site: str = "http://127.0.0.1:8000") -> Flask:
    """The stand-in, remembering in the SQLite file at `path` (made when missing). `site`: where a click leads.

    Raises sqlite3.DatabaseError when the file is no database.
    """
    sandbox = Flask(__name__, template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    # One byte more than LINE takes: of a chunked body Flask keeps just so much and says nothing of the rest.
    sandbox.config.update(MAX_CONTENT_LENGTH=LARGEST_REQUEST + 1, TRUSTED_HOSTS=["127.0.0.1", "localhost"], SITE=site)
    # Seconds: longer than a preview waits, and shorter than a recheck does.
    sandbox.config["SHOP_SLOWNESS"] = 6
    attach(sandbox, Store(path))
    sandbox.register_blueprint(api)
    sandbox.register_blueprint(push_service)
    sandbox.register_blueprint(shop)
    sandbox.register_blueprint(pages)
    sandbox.before_request(_name_the_request)
    sandbox.after_request(_finish)
    sandbox.register_error_handler(HTTPException, _explain)
    return sandbox


def _for_the_api() -> bool:
    return request.path.startswith("/v2/")


def _name_the_request() -> None:
    if _for_the_api():
        g.request_id = ids.request_id()


def _finish(response: Response) -> Response:
    if "request_id" in g:
        response.headers["x-line-request-id"] = g.request_id
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    # Not `no-referrer`: browsers would then send `Origin: null` with our own forms.
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def _explain(error: HTTPException) -> Response | tuple[str, int]:
    status = error.code or 500
    if _for_the_api():
        message = "Not found" if status == 404 else error.name
        return refused(status, {"message": message})
    word = f"error_{status}" if f"error_{status}" in WORDS else "error_500" if status >= 500 else "error_400"
    return render_template("sandbox/error.html", status=status, word=word, **words_for(request)), status
