"""What the kinds of all sources that fill inboxes have in common."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from flask_babel import LazyString, force_locale
from sqlalchemy import BigInteger, ColumnElement, SQLColumnExpression, column, literal, select, values

from app.accounts.models import NAMED
from app.codes import CancelReason
from app.extensions import db
from app.inbox.models import Notification
from app.kinds import (
    Cancel,
    Description,
    Due,
    NeverAsks,
    Notice,
    QueueName,
    Reader,
    RetryPolicy,
    Send,
    Told,
    Urgency,
    Verdict,
)  # fmt: skip
from app.transaction import Transaction


class NotifyingKind(NeverAsks, ABC):
    """A kind whose subject decides who reads it and what it says; a source fills in the four abstract verbs.

    `generic` is all that a private kind says outside the inbox. A kind that is not private says its own text there.
    """

    name: str
    category: str
    generic: LazyString
    queue = QueueName.DEFAULT
    retry = RetryPolicy(tries=5, first_wait=timedelta(minutes=1), longest_wait=timedelta(minutes=8))
    expired_reason = CancelReason.EXPIRED
    concerns: Collection[str] = NAMED
    private = False
    urgency = Urgency.NORMAL
    lifetime = timedelta(days=1)

    @abstractmethod
    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """SQL: whether this account may read this subject now. Correlated: an EXISTS over the subject's own id."""

    @abstractmethod
    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """SQL: whether the subject's own text holds these words."""

    @abstractmethod
    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """What each subject that exists says to somebody who may read it, in the language that is in force."""

    @abstractmethod
    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """Those that are no longer in the state that this kind speaks of, and why nothing is said of them any more."""

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Still in that state? may the reader still see it? Then what it says now. A fixed number of queries."""
        over = self.over({due.subject_id for due in deliveries})
        entitled = self._entitled([due.notification_id for due in deliveries if due.notification_id is not None])
        sayable = [due for due in deliveries if due.subject_id not in over and due.notification_id in entitled]
        texts = {language: self._texts(sayable, language) for language in {due.language for due in sayable}}

        def verdict(due: Due) -> Verdict:
            if due.subject_id in over:
                return Cancel(over[due.subject_id])
            said = texts.get(due.language, {}).get(due.subject_id)
            if said is None or due.notification_id not in entitled:
                return Cancel(CancelReason.NOT_ENTITLED)
            return Send(self._notice(due, due.notification_id, said))

        return {due.id: verdict(due) for due in deliveries}

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:  # nothing is missing here
        """Nothing to note: the notification itself says that it was told."""

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """What each says to this reader: its own text to whoever may read it, else no more than what sort it is."""
        if not subject_ids:
            return {}
        may_read = self._readable_of(subject_ids, reader.account_id)
        with force_locale(language):
            texts = self.texts(may_read)
            sort = Description(str(self.generic), "", None)
            return {subject_id: texts.get(subject_id, sort) for subject_id in subject_ids}

    def _entitled(self, notification_ids: Collection[int]) -> set[int]:
        theirs = self.readable(Notification.account_id, Notification.subject_id)
        return set(db.session.scalars(select(Notification.id).where(Notification.id.in_(notification_ids), theirs)))

    def _readable_of(self, subject_ids: Collection[int], account_id: int) -> set[int]:
        wanted = values(column("id", BigInteger), name="wanted").data([(one,) for one in subject_ids]).cte()
        return set(
            db.session.scalars(select(wanted.c.id).where(self.readable(literal(account_id, BigInteger), wanted.c.id)))
        )

    def _texts(self, dues: Collection[Due], language: str) -> Mapping[int, Description]:
        with force_locale(language):
            return self.texts({due.subject_id for due in dues})

    def _notice(self, due: Due, notification_id: int, said: Description) -> Notice:
        with force_locale(due.language):
            title, body = (str(self.generic), "") if self.private else (said.title, said.body)
        return Notice(
            notification_id=notification_id,
            title=title,
            body=body,
            path=f"/notifications/{notification_id}",
            urgency=self.urgency,
            until=due.expires_at,
            language=due.language,
        )
