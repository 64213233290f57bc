"""What a message and a subject line may be."""

from collections.abc import Iterator

from flask_babel import gettext as _

from app.faults import Fault
from app.names import faults_of_text, fits_one_line

LONGEST_MESSAGE = 2000
LONGEST_SUBJECT = 100
"""Characters."""


def faults_of_message(text: str) -> list[Fault]:
    """What is wrong with the text of a message, if anything."""
    return faults_of_text(text, LONGEST_MESSAGE)


def faults_of_subject(subject: str) -> Iterator[Fault]:
    """What is wrong with a subject line, if anything."""
    if not fits_one_line(subject, LONGEST_SUBJECT):
        few = _("Enter a subject of 1 to %(number)d characters on one line.", number=LONGEST_SUBJECT)
        yield Fault("subject", few)
