"""What the filter of the delivery list offers, and what it has been narrowed to, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_login import current_user

from app.accounts.known import names_of
from app.outbox.listing import Filter
from app.reach.groups import Group, get_group
from app.reach.people import Person
from app.web.delivery_filter import Asked
from app.web.delivery_rows import sees_people
from app.web.filter_words import Word, classrooms, conditions, stores


@dataclass(frozen=True, slots=True)
class Chip:
    """Something that narrows the list, in words, and the address of the list without it."""

    name: str
    word: str
    without: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The classrooms and stores to choose from, and what is chosen of everything."""

    classrooms: Mapping[str, str]
    stores: Mapping[str, str]
    chips: Sequence[Chip]
    finds_people: bool
    """Whether the reader may search for names."""


@dataclass(frozen=True, slots=True)
class Found:
    """Those who are called as was searched for, and whether there are more of them than these."""

    words: str
    people: Sequence[Person]
    groups: Sequence[Group]
    more: bool


def choices(asked: Asked) -> Choices:
    """For the page that shows this."""
    in_classrooms, in_stores = classrooms(), stores()
    named = chosen(asked, in_classrooms | in_stores)
    chips = [Chip(name, word, asked.address(**{name: None})) for name, word in named]
    return Choices(in_classrooms, in_stores, chips, may_find_people())


def chosen(asked: Asked, scopes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What narrows the list, in words. Of a filter with faults, nothing is known for certain."""
    personal: Mapping[str, Word] = {
        "person": lambda _id: _whose(asked.filter),
        "group": lambda _id: _which_group(asked.filter),
        "q": lambda written: written,
    }
    if not asked.faults:
        yield from conditions(asked.typed, scopes, personal)


def may_find_people() -> bool:
    """Whether the reader may find deliveries by whose they are."""
    return sees_people(current_user.reader)


def _whose(wanted: Filter) -> str:
    name = names_of([wanted.account_id or 0]).get(wanted.account_id or 0)
    return name if name and may_find_people() else str(_("One account"))


def _which_group(wanted: Filter) -> str:
    group = get_group(wanted.group_id or 0)
    return group.name if group and may_find_people() else str(_("One LINE group"))
