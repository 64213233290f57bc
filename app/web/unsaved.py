"""What a reader is told when a mark could not be saved: the database is locked, slow or away."""

import logging
from collections.abc import Collection

from flask import render_template

from app.web.htmx import wants_part

log = logging.getLogger(__name__)


def answer(again: str, ids: Collection[int] = (), *, opening: bool = False) -> tuple[str, int]:
    """Say so where it happened, and offer the same once more; `again` is the address of the act."""
    log.warning("a mark in the inbox was not saved", exc_info=True)
    template = "inbox/_unsaved.html" if wants_part() else "inbox/unsaved.html"
    return render_template(template, again=again, ids=ids, opening=opening), 503
