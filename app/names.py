"""What a name may be: of a person, a classroom, a group."""

import re

from flask_babel import gettext as _

from app.faults import Fault

LONGEST_NAME = 100

# Not str.isprintable(): it refuses the full-width space between a Japanese family name and given name.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def fits_one_line(words: str, longest: int) -> bool:
    """Whether these are 1 to `longest` characters without a line break or another control character."""
    return 1 <= len(words) <= longest and not _CONTROL.search(words)


def faults_of(name: str) -> list[Fault]:
    """What is wrong with a name, if anything."""
    if fits_one_line(name, LONGEST_NAME):
        return []
    return [Fault("name", _("Enter a name of 1 to 100 characters on one line."))]


def called(name: str) -> str:
    """What somebody is called in a list of what was: whose account was deleted has no name any more."""
    return name or _("(deleted account)")
