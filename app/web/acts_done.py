"""Who did what when, as pages list it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flask_babel import LazyString

from app import audit


@dataclass(frozen=True, slots=True)
class ActDone:
    """One act. `whom` is the person it was done to, if there was one."""

    at: datetime
    who: str
    what: LazyString | str
    whom: str


def acts_done(subject_type: str, subject_id: int, words: Mapping[str, LazyString]) -> list[ActDone]:
    """The acts on one subject, oldest first, in these words."""
    return [
        ActDone(entry.at, entry.who, words.get(entry.act, entry.act), str(entry.detail.get("name") or ""))
        for entry in audit.entries(subject_type, subject_id)
    ]
