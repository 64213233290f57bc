"""Who did what when, as pages list it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flask_babel import LazyString

from app import audit
from app.accounts.known import names_of


@dataclass(frozen=True, slots=True)
class ActDone:
    """One act. `whom` names the person it was done to, if there was one."""

    at: datetime
    who: str
    what: LazyString | str
    whom: str


def acts_done(subject_type: str, subject_id: int, words: Mapping[str, LazyString]) -> list[ActDone]:
    """The acts on one subject, oldest first, in these words."""
    entries = audit.entries(subject_type, subject_id)
    names = names_of({entry.whom for entry in entries if entry.whom})
    return [
        ActDone(entry.at, entry.who, words.get(entry.act, entry.act), names[entry.whom] if entry.whom else "")
        for entry in entries
    ]
