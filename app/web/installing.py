"""What a browser needs to get pushes and to be installed: the service worker, and the web manifest."""

import json

from flask import Response, request
from flask_babel import force_locale
from flask_babel import gettext as _

from app.config import LANGUAGES, ROOT
from app.i18n import language
from app.web.guards import EVERYONE, Pages
from app.web.this_device import vapid_key

WORKER = (ROOT / "static/sw.js").read_text()

PAPER, INDIGO = "#fbfaf7", "#27408b"
ICONS = ((192, "any"), (512, "any"), (512, "maskable"))

pages = Pages("installing", open_to=EVERYONE)


@pages.get("/sw.js")
def worker() -> Response:
    """The service worker: from the root, whose pages it looks after. Its words are those of its own address."""
    with force_locale(_language()):
        given = {
            "title": _("News in Todoke"),
            "body": _("Open Todoke to read it."),
            "language": _language(),
            "key": vapid_key(),
        }
    response = Response(f"const GIVEN = {json.dumps(given)};\n{WORKER}", mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """How it is called and looks when it is installed, which iPhones ask for before they take pushes."""
    with force_locale(_language()):
        described = {
            "name": "Todoke 届け",
            "short_name": "Todoke",
            "description": _("What concerns you, and word of it on this device."),
            "lang": _language(),
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": INDIGO,
            "icons": [_icon(size, purpose) for size, purpose in ICONS],
        }
    return Response(json.dumps(described, ensure_ascii=False), mimetype="application/manifest+json")


def _language() -> str:
    """What the address says: browsers ask for both without cookies."""
    asked = request.args.get("language")
    return asked if asked in LANGUAGES else language()


def _icon(size: int, purpose: str) -> dict[str, str]:
    name = "icon-maskable" if purpose == "maskable" else "icon"
    return {"src": f"/static/{name}-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
