"""A kind of the inbox for tests: it speaks of accounts, and everybody else may read of one while it is active."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from flask_babel import gettext, lazy_gettext
from sqlalchemy import ColumnElement, SQLColumnExpression, exists, select

from app.accounts.models import Account
from app.codes import CancelReason
from app.extensions import db
from app.inbox.kind import NotifyingKind
from app.kinds import INBOX_KINDS, KINDS, Description


class Greeting(NotifyingKind):
    """ "Somebody is here": readable as long as that account is active. `done` are those that have left again."""

    name = "greeting"
    category = "greetings"
    generic = lazy_gettext("Shift table")

    def __init__(self, private: bool = False) -> None:
        self.private = private
        self.done: set[int] = set()

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """The subject is active, and somebody else than the reader."""
        return exists().where(Account.id == subject_id, Account.id != account_id, Account.active)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By the subject's name."""
        return exists().where(Account.id == subject_id, Account.name.icontains(words, autoescape=True))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """The subject's name, and a word that the catalogue has."""
        rows = db.session.execute(select(Account.id, Account.name).where(Account.id.in_(subject_ids)))
        return {one: Description(name, gettext("Shift table"), f"/greetings/{one}") for one, name in rows}

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """Whatever the test said is done."""
        return {one: CancelReason.SUBJECT_RESOLVED for one in subject_ids if one in self.done}


@contextmanager
def greeting(private: bool = False) -> Iterator[Greeting]:
    """The kind as one of this house, for as long as the test runs."""
    kind = Greeting(private)
    KINDS[kind.name] = INBOX_KINDS[kind.name] = kind
    try:
        yield kind
    finally:
        del KINDS[kind.name], INBOX_KINDS[kind.name]
