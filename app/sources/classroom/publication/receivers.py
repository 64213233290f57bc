"""Which LINE groups get a shift table: the rule, and what pages say of them before anything is sent."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.config import LANGUAGES
from app.extensions import db
from app.reach.groups import DEFAULT_NAME
from app.reach.models import LineGroup
from app.sources.classroom.models import Classroom


@dataclass(frozen=True, slots=True)
class Receiver:
    """A group that would get the table, and the language that it is written to in."""

    id: int | None
    """None for the group of the settings before it first gets something."""
    name: str
    language: str


def own_groups(classroom_id: int | None) -> list[int]:
    """The groups that were chosen: of one classroom, or of any."""
    return _own(_chosen(), classroom_id)


def goes_to_default(classroom_id: int | None, own: Sequence[int], default: str | None) -> bool:
    """Whether LINE_GROUP_ID gets it: a table of all classrooms, and that of a classroom without a group."""
    return bool(default) and (classroom_id is None or not own)


def receiving_ids(tables: Collection[int | None], default: str | None) -> dict[int | None, set[int]]:
    """The ids of the groups that get the table now, of each of these classrooms (None: of all). Two queries.

    A group of the settings that got nothing so far has no id yet.
    """
    chosen = _chosen()
    of_settings = set(db.session.scalars(select(LineGroup.id).where(LineGroup.line_group_id == default)))
    return {
        classroom_id: of_settings if goes_to_default(classroom_id, own, default) else set(own)
        for classroom_id in tables
        for own in (_own(chosen, classroom_id),)
    }


def receivers(classroom_id: int | None, default: str | None) -> list[Receiver]:
    """The groups that would get a table now; reads only."""
    own = own_groups(classroom_id)
    by_default = goes_to_default(classroom_id, own, default)
    which = LineGroup.line_group_id == default if by_default else LineGroup.id.in_(own)
    rows = db.session.execute(
        select(LineGroup.id, LineGroup.name, LineGroup.language).where(which).order_by(LineGroup.id)
    )
    found = [Receiver(*row) for row in rows]
    # The group of the settings is entered when it first gets something.
    return found or ([Receiver(None, DEFAULT_NAME, LANGUAGES[0])] if by_default else [])


def language_of(groups: Sequence[Receiver]) -> str:
    """The language of a picture that all of these groups get."""
    languages = {group.language for group in groups}
    return languages.pop() if len(languages) == 1 else LANGUAGES[0]


def _chosen() -> dict[int, int | None]:
    """The group of each classroom that has one of its own."""
    rows = db.session.execute(select(Classroom.id, Classroom.group_id).where(Classroom.group_id.is_not(None)))
    return dict(rows.all())


def _own(chosen: Mapping[int, int | None], classroom_id: int | None) -> list[int]:
    groups = chosen.values() if classroom_id is None else [chosen.get(classroom_id)]
    return [group_id for group_id in groups if group_id is not None]
