"""A form that could not be taken because its sender is signed out or somebody else by now: what it held is shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import request
from flask_babel import LazyString

from app.web import words
from app.web.htmx import page_behind
from app.web.places import own_path


@dataclass(frozen=True, slots=True)
class LostForm:
    """The address of the page that it stood on, and each text that was written into it, with what it was to be."""

    page: str
    written: Sequence[tuple[LazyString, str]]


def lost_form() -> LostForm:
    """What was sent just now. Only fields that are known to hold text are ever shown again: no password, no token."""
    fields = ((word, request.form.get(name, "").strip()) for name, word in words.WRITTEN.items())
    return LostForm(own_path(page_behind(), "/"), [(word, text) for word, text in fields if text])
