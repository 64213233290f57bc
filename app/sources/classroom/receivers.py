"""Which LINE groups get a shift table: the rule, and what pages say of them before anything is sent."""

from collections.abc import Sequence
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

    name: str
    language: str


def own_groups(classroom_id: int | None) -> list[int]:
    """The groups that were chosen: of one classroom, or of any."""
    chosen = select(Classroom.group_id).where(Classroom.group_id.is_not(None))
    rows = db.session.scalars(chosen.where(Classroom.id == classroom_id) if classroom_id else chosen)
    return [group_id for group_id in rows if group_id is not None]


def goes_to_default(classroom_id: int | None, own: Sequence[int], default: str | None) -> bool:
    """Whether LINE_GROUP_ID gets it: a table of all classrooms, and that of a classroom without a group."""
    return bool(default) and (classroom_id is None or not own)


def receivers(classroom_id: int | None, default: str | None) -> list[Receiver]:
    """The groups that would get a table now; reads only."""
    own = own_groups(classroom_id)
    by_default = goes_to_default(classroom_id, own, default)
    which = LineGroup.line_group_id == default if by_default else LineGroup.id.in_(own)
    rows = db.session.execute(select(LineGroup.name, LineGroup.language).where(which).order_by(LineGroup.id))
    found = [Receiver(*row) for row in rows]
    # The group of the settings is entered when it first gets something.
    return found or ([Receiver(DEFAULT_NAME, LANGUAGES[0])] if by_default else [])


def language_of(groups: Sequence[Receiver]) -> str:
    """The language of a picture that all of these groups get."""
    languages = {group.language for group in groups}
    return languages.pop() if len(languages) == 1 else LANGUAGES[0]
