"""The kinds of alerts: that something began, and that it is over."""

from abc import abstractmethod
from collections.abc import Collection, Mapping

from flask_babel import lazy_gettext as _l
from sqlalchemy import ColumnElement, SQLColumnExpression, or_, select

from app.accounts.models import Account
from app.codes import CancelReason
from app.columns import there_is
from app.extensions import db
from app.inbox.kind import NotifyingKind
from app.kinds import Description, QueueName, Urgency
from app.sources.alerts import messages
from app.sources.alerts.models import Alert
from app.sources.alerts.watch import BEGAN, CONCERNS, OVER


class AlertKind(NotifyingKind):
    """To admins. Urgent: the clock itself sends it when no worker lives."""

    category = "alerts"
    concerns: Collection[str] = CONCERNS
    queue = QueueName.URGENT
    generic = _l("An alert of Todoke")

    def readable(
        self, account_id: SQLColumnExpression[int], subject_id: SQLColumnExpression[int]
    ) -> ColumnElement[bool]:
        """Whoever is an admin now."""
        admin = there_is(Account, where=(Account.id == account_id) & Account.role.in_(CONCERNS))
        return there_is(Alert, where=Alert.id == subject_id) & admin

    def matches(self, words: str, subject_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """By the failure code, or the scan's name."""
        found = or_(Alert.about.icontains(words, autoescape=True), Alert.sort.icontains(words, autoescape=True))
        return there_is(Alert, where=(Alert.id == subject_id) & found)

    def texts(self, subject_ids: Collection[int]) -> Mapping[int, Description]:
        """What is, or was, wrong."""
        alerts = db.session.scalars(select(Alert).where(Alert.id.in_(subject_ids)))
        return {alert.id: self.text(alert) for alert in alerts}

    @abstractmethod
    def text(self, alert: Alert) -> Description:
        """What one of them says."""


class AlertBegan(AlertKind):
    """Something is wrong."""

    name = BEGAN
    urgency = Urgency.HIGH

    def text(self, alert: Alert) -> Description:
        """What is wrong, and what to do."""
        return messages.began(alert)

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:
        """What is right again need not wake anybody."""
        ended = select(Alert.id).where(Alert.id.in_(subject_ids), Alert.ended_at.is_not(None))
        return dict.fromkeys(db.session.scalars(ended), CancelReason.SUBJECT_RESOLVED)


class AlertOver(AlertKind):
    """It is right again."""

    name = OVER

    def text(self, alert: Alert) -> Description:
        """What was wrong."""
        return messages.over(alert)

    def over(self, subject_ids: Collection[int]) -> Mapping[int, CancelReason]:  # noqa: ARG002
        """What is over stays so; if it begins again, that is another alert."""
        return {}
