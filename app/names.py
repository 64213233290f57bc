"""What a name may be: of a person, a classroom, a group."""

import re

from flask_babel import gettext as _

from app.faults import Fault

LONGEST_NAME = 100

# Not str.isprintable(): it refuses the full-width space between a Japanese family name and given name.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

# Half a character (a lone surrogate) can be neither stored nor sent. A browser sends U+FFFD in its place.
_NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")


def fits_one_line(words: str, longest: int) -> bool:
    """Whether these are 1 to `longest` characters without a line break or another control character."""
    return 1 <= len(words) <= longest and not _CONTROL.search(words)


def is_text(words: str, longest: int) -> bool:
    """Whether these are at most `longest` characters of text, on any number of lines."""
    return len(words) <= longest and not _NO_TEXT.search(words)


def faults_of(name: str) -> list[Fault]:
    """What is wrong with a name, if anything."""
    if fits_one_line(name, LONGEST_NAME):
        return []
    return [Fault("name", _("Enter a name of 1 to 100 characters on one line."))]
