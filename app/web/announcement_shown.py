"""What an announcement says, as pages show it: to a reader in one language, to its author in all of them."""

from dataclasses import dataclass

from app.config import LANGUAGES
from app.i18n import language
from app.kinds import Description
from app.sources.announcements.fields import Fields, Text
from app.sources.announcements.listing import AnnouncementLine
from app.sources.announcements.messages import said


@dataclass(frozen=True, slots=True)
class Shown:
    """What it says in one language: on its page, and `outside` on lock screens and over LINE."""

    language: str
    foreign: bool
    """Whether the page around it is in another language."""
    text: Text
    outside: Description


@dataclass(frozen=True, slots=True)
class Row:
    """One announcement of a list."""

    line: AnnouncementLine
    shown: Shown


def shown_to_reader(line: AnnouncementLine) -> Shown:
    """In the reader's own language, or in the one that they get instead."""
    return _shown(line.id, line.fields, line.fields.shown_in(language()))


def shown_in_all(line: AnnouncementLine) -> list[Shown]:
    """In every language in which it is written."""
    return [_shown(line.id, line.fields, one) for one in LANGUAGES if one in line.fields.texts]


def _shown(announcement_id: int, fields: Fields, wanted: str) -> Shown:
    text = fields.texts[wanted]
    return Shown(wanted, wanted != language(), text, said(announcement_id, text))
