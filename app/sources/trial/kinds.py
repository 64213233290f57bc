"""The kind `test_push`. It makes no row in an inbox, so that preferences and quiet hours have no say in it."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from flask_babel import force_locale
from sqlalchemy import select

from app.codes import CancelReason
from app.extensions import db
from app.kinds import (
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
from app.reach.models import Device
from app.sources.trial import messages
from app.sources.trial.try_device import CATEGORY, KIND
from app.transaction import Transaction

PAGE = "/settings/notifications"


class TrialPush(NeverAsks):
    """One try, and its result at once: who waits for it tries again by hand, and should see what went wrong."""

    name = KIND
    category = CATEGORY
    queue = QueueName.URGENT
    retry = RetryPolicy(tries=1, first_wait=timedelta(minutes=1), longest_wait=timedelta(minutes=1))
    expired_reason = CancelReason.EXPIRED

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Whether it is still this account's device, the engine has asked; more there is not to ask."""
        return {due.id: Send(_notice(due)) for due in deliveries}

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """Nothing to note: the device itself notes its last success."""

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """Which device; its owner may go to it."""
        rows = db.session.execute(select(Device.id, Device.name, Device.account_id).where(Device.id.in_(subject_ids)))
        with force_locale(language):
            return {
                device_id: Description(messages.title(), name, PAGE if owner == reader.account_id else None)
                for device_id, name, owner in rows
            }


def _notice(due: Due) -> Notice:
    with force_locale(due.language):
        return Notice(
            notification_id=None,
            title=messages.title(),
            body=messages.body(),
            path=PAGE,
            urgency=Urgency.HIGH,
            until=due.expires_at,
            language=due.language,
        )
