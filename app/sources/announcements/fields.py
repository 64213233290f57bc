"""What an author may write into an announcement."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.names import faults_of_text, fits_one_line
from app.sources.announcements.models import Audience

LONGEST_TITLE = 100
LONGEST_BODY = 4000


@dataclass(frozen=True, slots=True)
class Text:
    """What it says in one language; the body may be empty where the title says everything."""

    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Fields:
    """Everything that an author decides. `texts` by language, those that are written; see the model for the rest."""

    texts: Mapping[str, Text]
    fallback: str | None
    audience: Audience

    def told_in(self, language: str) -> str | None:
        """The language in which a reader of this one is told; None when they are not."""
        return language if language in self.texts else self.fallback

    def shown_in(self, language: str) -> str:
        """The language in which it is shown to a reader of this one who looks: at worst, one that they do not read."""
        return self.told_in(language) or min(self.texts)

    @property
    def languages(self) -> list[str] | None:
        """The languages whose readers are told; None when all are."""
        return sorted(self.texts) if self.fallback is None else None


def check_fields(fields: Fields) -> None:
    """Raises InvalidInput with every fault."""
    if faults := list(_faults(fields)):
        raise InvalidInput(*faults)


def _faults(fields: Fields) -> Iterator[Fault]:
    if not fields.texts:
        yield Fault("texts", _("Write a title in at least one language."))
    for language, text in fields.texts.items():
        if not fits_one_line(text.title, LONGEST_TITLE):
            wanted = _("Enter 1 to %(number)d characters on one line.", number=LONGEST_TITLE)
            yield Fault(f"title_{language}", wanted)
        yield from faults_of_text(text.body, LONGEST_BODY, f"body_{language}", required=False)
    if fields.fallback is not None and fields.texts and fields.fallback not in fields.texts:
        yield Fault("fallback", _("Nothing is written in this language, so nobody can get it instead."))
