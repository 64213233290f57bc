"""Who is told of an announcement, and who may read it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, distinct, func, or_, select, true

from app.accounts.models import NAMED, STAFF, Account, Role
from app.columns import there_is
from app.extensions import db
from app.kinds import Reader
from app.reach.addresses import Addresses, Within, devices, line_links
from app.reach.models import Device
from app.sources.announcements.fields import Fields
from app.sources.announcements.models import Announcement, Audience, Phase

CATEGORY = "announcements"
_ROLES: dict[Audience, frozenset[Role]] = {
    Audience.EVERYONE: frozenset(NAMED),
    Audience.STAFF: STAFF,
    Audience.MEMBERS: frozenset({Role.MEMBER}),
}


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who would be told: how many people, how many of them by a push, on how many devices, and how many over LINE."""

    people: int
    pushed: int
    devices: int
    on_line: int


def concerned(audience: Audience, languages: Collection[str] | None) -> ColumnElement[bool]:
    """SQL on `account`: who is told of what is for this audience, and is told in these languages; None means in any.

    Whoever is active, is one of its audience, and reads a language that it speaks, or has a device that does.
    """
    ours = and_(Account.active, Account.role.in_(_ROLES[audience]))
    if languages is None:
        return ours
    on_a_device = select(Device.account_id).where(Device.language.in_(languages))
    return and_(ours, or_(Account.language.in_(languages), Account.id.in_(on_a_device)))


def _listening(fields: Fields) -> ColumnElement[bool]:
    return concerned(fields.audience, fields.languages)


def is_for_anybody(fields: Fields) -> bool:
    """Whether somebody would be told if it were published now."""
    return db.session.scalar(select(Account.id).where(_listening(fields)).limit(1)) is not None


def listeners(fields: Fields) -> Listeners:
    """Who would be told if it were published now. Three queries."""
    people = db.session.scalar(select(func.count()).select_from(Account).where(_listening(fields))) or 0
    return Listeners(people, *_counted(fields, devices), _counted(fields, line_links)[1])


def _counted(fields: Fields, channel: Callable[[Within, str], Addresses]) -> tuple[int, int]:
    """How many people would be told there, at how many addresses."""
    to = channel(lambda _: true(), CATEGORY)
    spoken = to.language.in_(fields.languages) if fields.languages is not None else true()
    both = select(func.count(distinct(Account.id)), func.count()).select_from(to.rows)
    people, places = db.session.execute(both.where(to.wanted, _listening(fields), spoken)).one()
    return people, places


def may_read(account_id: SQLColumnExpression[int], announcement_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """SQL: whether this account may read this announcement now: published, and for such as they are."""
    theirs = or_(*(and_(Announcement.audience == one, Account.role.in_(roles)) for one, roles in _ROLES.items()))
    of_the_audience = there_is(Account, where=and_(Account.id == account_id, theirs))
    published = and_(Announcement.id == announcement_id, Announcement.phase == Phase.PUBLISHED)
    return there_is(Announcement, where=and_(published, of_the_audience))


def for_reader(reader: Reader) -> ColumnElement[bool]:
    """SQL on `announcement`: published, and for readers such as this one."""
    theirs = [one for one, roles in _ROLES.items() if reader.role in roles]
    return and_(Announcement.phase == Phase.PUBLISHED, Announcement.audience.in_(theirs))
