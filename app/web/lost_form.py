"""A form that could not be taken because its sender is signed out or somebody else by now: what it held is shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import request
from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.web.htmx import page_behind

WRITTEN: dict[str, LazyString] = {
    "why": _l("Why"),
    "title": _l("What is wrong, in a few words"),
    "description": _l("Where, since when, and what happens"),
    "title_ja": _l("Title in Japanese"),
    "body_ja": _l("Text in Japanese"),
    "title_en": _l("Title in English"),
    "body_en": _l("Text in English"),
    "subject": _l("Subject line"),
    "emails": _l("E-mail addresses of whom you write to"),
    "text": _l("Your message"),
    "note": _l("Note"),
    "name": _l("Name"),
    "email": _l("E-mail address"),
    "address": _l("Address"),
    "phone": _l("Phone number"),
    "hours": _l("Opening hours"),
}
"""The fields of forms that hold text and no secret."""


@dataclass(frozen=True, slots=True)
class LostForm:
    """The address of the page that it stood on, and each text that was written into it, with what it was to be."""

    page: str
    written: Sequence[tuple[LazyString, str]]


def lost_form() -> LostForm:
    """What was sent just now. Only fields that are known to hold text are ever shown again: no password, no token."""
    fields = ((word, request.form.get(name, "").strip()) for name, word in WRITTEN.items())
    return LostForm(page_behind(), [(word, text) for word, text in fields if text])
