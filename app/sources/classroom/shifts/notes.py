"""What a note of a shift may be, typed or in a file."""

import re

from flask_babel import gettext as _

from app.faults import Fault
from app.names import faults_of_text

LONGEST_NOTE = 500

_OWN_CHARACTERS = re.compile("[\ue000-\uf8ff]")


def faults_of_note(note: str) -> list[Fault]:
    """What is wrong with it, if anything."""
    faults = faults_of_text(note, LONGEST_NOTE, "note", required=False)
    if has_own_characters(note):
        faults.append(own_characters("note"))
    return faults


def has_own_characters(words: str) -> bool:
    """Whether there is 外字 among them: drawn on one computer, and nothing on every other."""
    return _OWN_CHARACTERS.search(words) is not None


def own_characters(field: str) -> Fault:
    """The fault of a field that has them."""
    return Fault(field, _("Expected characters that every computer knows: one is known only where it was made."))
