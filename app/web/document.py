"""The published table for whoever may see that classroom: where the message in LINE leads."""

from urllib.parse import urlencode

from flask import Response, abort, current_app, render_template, request, url_for
from flask_babel import lazy_gettext as _l
from flask_login import current_user
from werkzeug.exceptions import NotFound

from app.config import Settings
from app.i18n import language
from app.sources.classroom.publication.document import document_for
from app.sources.classroom.publication.message import table_name
from app.sources.classroom.publication.published import PublishedTable, image_of
from app.web.errors import Apology, answer
from app.web.guards import SIGNED_IN, Pages
from app.web.publication import png

pages = Pages("document", open_to=SIGNED_IN)

NOT_FOR_YOU = Apology(
    _l("There is no such table for you"),
    _l(
        "The address is wrong, the table no longer exists, or it is not for the account that is signed in here. "
        "You may be signed in with another account."
    ),
)


@pages.get("/liff")
def show() -> str:
    """The table; of a withdrawn one only that it was, and of an older one where the newest is."""
    table = _table()
    newest = f"{url_for('document.show')}?{urlencode({'document': table.newest})}" if table.replaced else None
    return render_template(
        "documents/show.html",
        table=table,
        name=table_name(table.month, table.classroom, language()),
        newest=newest,
    )


@pages.get("/liff/table.png")
def image() -> Response:
    """The picture, unless it was withdrawn."""
    table = _table()
    return png((table.withdrawn_at is None and image_of(table.id)) or abort(404))


@pages.errorhandler(NotFound)
def _not_found(_error: NotFound) -> Response:
    """Nothing here tells whether there is such a table for somebody else."""
    return answer(NOT_FOR_YOU, 404)


def _table() -> PublishedTable:
    """The table that the address names. Whether it does not exist or is not for this reader, is nobody's business."""
    settings: Settings = current_app.config["SETTINGS"]
    return document_for(current_user.reader, request.args.get("document", ""), settings.zone) or abort(404)
