"""What prices tell: that something is cheap now, and that a page cannot be read any more."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from flask_babel import force_locale
from flask_babel import lazy_gettext as _l
from sqlalchemy import ColumnElement, SQLColumnExpression, select

from app.accounts.models import Role
from app.codes import CancelReason
from app.columns import there_is
from app.extensions import db
from app.inbox.kind import NotifyingKind
from app.kinds import (
    Cancel,
    Description,
    Due,
    FinalVerdict,
    Notice,
    QueueName,
    Reader,
    RetryPolicy,
    Send,
    Told,
    Urgency,
    Verdict,
)
from app.sources.prices import messages
from app.sources.prices.audience import CATEGORY, KIND, UNREADABLE, found_for, watches
from app.sources.prices.models import Finding, Item, Said, Trigger, Watch
from app.sources.prices.recheck import ask_shops, judged
from app.sources.prices.saying import Saying
from app.sources.prices.told import note_told
from app.sources.prices.triggers import Wish
from app.transaction import Transaction


class PriceDrop(NotifyingKind):
    """What a watch waits for is so. Its row in the inbox comes with the first delivery that was sent."""

    name = KIND
    category = CATEGORY
    generic = _l("A price that somebody watches")
    queue = QueueName.SLOW
    urgency = Urgency.HIGH
    concerns: Collection[str] = frozenset(Role)

    def __init__(self, retries: int) -> None:
        self.retry = RetryPolicy(1 + retries, first_wait=timedelta(seconds=30), longest_wait=timedelta(minutes=30))

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """Whoever watches."""
        return found_for(account_id, subject_id)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By what the shop calls it."""
        of_it = (Finding.id == subject_id) & (Watch.id == Finding.watch_id) & (Item.id == Watch.item_id)
        return there_is(Finding, Watch, Item, where=of_it & Item.title.icontains(words, autoescape=True))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """What was said first; of what was never said, only what it is about."""
        said = {one.finding_id: one for one in db.session.scalars(
            select(Said).where(Said.finding_id.in_(subject_ids)).order_by(Said.read_at.desc(), Said.delivery_id.desc())
        )}  # fmt: skip
        rows = select(Finding, Item.title).join(Watch, Watch.id == Finding.watch_id)
        found = db.session.execute(rows.join(Item, Item.id == Watch.item_id).where(Finding.id.in_(subject_ids)))
        return {finding.id: _text(finding, title, said.get(finding.id)) for finding, title in found}

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """The watch was removed or paused, or went with its account."""
        rows = select(Finding.id, Watch.removed_at, Watch.paused_at).join(Watch, Watch.id == Finding.watch_id)
        over = dict.fromkeys(subject_ids, CancelReason.WATCH_REMOVED)
        for finding_id, removed_at, paused_at in db.session.execute(rows.where(Finding.id.in_(subject_ids))):
            if paused_at is not None and removed_at is None:
                over[finding_id] = CancelReason.LISTING_PAUSED
            elif removed_at is None:
                del over[finding_id]
        return over

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """To an administrator, too, what was said: whose delivery it is they see anyway, and without it they could not
        explain it. Its page is the watcher's alone."""
        own = super().describe(subject_ids, reader, language)
        if reader.role != Role.ADMIN:
            return own
        with force_locale(language):
            said = self.texts(subject_ids)
        return {**own, **{one: replace(text, link=own[one].link) for one, text in said.items()}}

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Still watched? Then the shop is asked."""
        over = self.over({due.subject_id for due in deliveries})
        ended = {due.id: Cancel(over[due.subject_id]) for due in deliveries if due.subject_id in over}
        return {**ended, **ask_shops([due for due in deliveries if due.id not in ended])}

    def judge(self, delivery: Due, about: Any, answer: Any) -> FinalVerdict:
        """By what the shop says now, in words that are written from it."""
        with force_locale(delivery.language):
            found = judged(about, answer)
        return Send(_notice(delivery, found), found.noted()) if isinstance(found, Saying) else found

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """What was said is kept."""
        note_told(tx, sent)


class PriceUnreadable(NotifyingKind):
    """A page changed its form, or its shop is silent. It stands in the inbox alone. Its subject is the item."""

    name = UNREADABLE
    category = CATEGORY
    generic = _l("A page of a shop that cannot be read")
    lifetime = timedelta(days=3)
    concerns: Collection[str] = frozenset(Role)

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """Whoever watches it."""
        return watches(account_id, subject_id)

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By what the shop called it."""
        return there_is(Item, where=(Item.id == subject_id) & Item.title.icontains(words, autoescape=True))

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """How it stands now."""
        return {item.id: _trouble(item) for item in db.session.scalars(select(Item).where(Item.id.in_(subject_ids)))}

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """Once it can be read again."""
        well = select(Item.id).where(Item.id.in_(subject_ids), Item.failing_since.is_(None))
        return dict.fromkeys(db.session.scalars(well), CancelReason.SUBJECT_RESOLVED)


def _text(finding: Finding, title: str, said: Said | None) -> Description:
    """In the words of the wish as it stood then: what was said is not said otherwise because it was changed since."""
    if said is None:
        return messages.seen(finding.watch_id, title)
    wish = Wish(Trigger(finding.trigger), said.target, said.percent, said.baseline)
    return messages.cheap(finding.watch_id, title, wish, said.price, said.currency, said.read_at)


def _trouble(item: Item) -> Description:
    if item.unreadable_since is not None:
        return messages.unreadable(item.title, item.unreadable_why, item.read_at is not None)
    return messages.silent(item.title, item.failing_since) if item.failing_since else messages.well_again(item.title)


def _notice(due: Due, saying: Saying) -> Notice:
    with force_locale(due.language):
        said = messages.cheap(saying.watch_id, saying.title, saying.wish, saying.price, saying.currency, saying.read_at)
    return Notice(
        notification_id=None,
        title=said.title,
        body=said.body,
        path=messages.page_of(saying.watch_id),
        urgency=PriceDrop.urgency,
        until=due.expires_at,
        language=due.language,
    )
