"""What people may write: a name of a person, a classroom, a group, and a text of several lines."""

import re
from unicodedata import category

from flask_babel import gettext as _

from app.faults import Fault

LONGEST_NAME = 100

# Not str.isprintable(): it refuses the full-width space between a Japanese family name and given name.
# Half of a surrogate pair is no character: neither database nor any answer could hold it. Browsers send U+FFFD instead.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffd]")
_CONTROL_BUT_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")
_UNSEEN_SORTS = ("Cc", "Cf", "Cs", "Me", "Mn", "Zl", "Zp", "Zs")
"""Controls, joiners and tags, halves of characters, marks that stand on nothing, and spaces."""
_UNSEEN = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and a symbol, by their sort, which are blank."""


def is_seen(words: str) -> bool:
    """Whether a reader sees anything: a link of which nothing is seen cannot be clicked."""
    return any(category(one) not in _UNSEEN_SORTS and one not in _UNSEEN for one in words)


def fits_one_line(words: str, longest: int) -> bool:
    """Whether these are 1 to `longest` characters, something to see among them, and no control character."""
    return len(words) <= longest and not _CONTROL.search(words) and is_seen(words)


def without_edges(text: str) -> str:
    """A text with line feeds alone between its lines, as browsers send two characters, and nothing blank around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def faults_of_text(text: str, longest: int, field: str = "text", *, required: bool = True) -> list[Fault]:
    """What is wrong with a text of at most `longest` characters on any number of lines, if anything."""
    if not text and not required:
        return []
    if _CONTROL_BUT_LINES.search(text):
        return [Fault(field, _("It holds characters that are no text. Type it anew, or paste it without formatting."))]
    if len(text) > longest:
        most, number = f"{longest:,}", f"{len(text):,}"
        return [Fault(field, _("Write at most %(most)s characters; these are %(number)s.", most=most, number=number))]
    return [] if is_seen(text) else [Fault(field, _("Write something."))]


def faults_of(name: str) -> list[Fault]:
    """What is wrong with a name, if anything."""
    if fits_one_line(name, LONGEST_NAME):
        return []
    return [Fault("name", _("Enter a name of 1 to %(number)d characters on one line.", number=LONGEST_NAME))]


def called(name: str) -> str:
    """What somebody is called in a list of what was: whose account was deleted has no name any more."""
    return name or _("(deleted account)")
