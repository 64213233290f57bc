"""The kinds of things the classroom tells."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from flask_babel import force_locale
from flask_babel import gettext as _

from app.accounts.models import STAFF
from app.codes import CancelReason
from app.kinds import Description, Due, NeverAsks, QueueName, Reader, RetryPolicy, Told, Verdict
from app.sources.classroom.publication.message import table_name
from app.sources.classroom.publication.publish import KIND
from app.sources.classroom.publication.published import tables_of
from app.sources.classroom.publication.recheck import recheck_tables
from app.sources.classroom.shifts.standing import standing
from app.sources.classroom.telling import messages
from app.sources.classroom.telling.messages import Facts
from app.sources.classroom.telling.plans import Owed
from app.sources.classroom.telling.recheck import note_told, recheck_corrections, recheck_reminders
from app.transaction import Transaction


class ClassroomKind(NeverAsks):
    """What all kinds of the classroom have in common."""

    category = "shifts"
    retry = RetryPolicy(tries=6, first_wait=timedelta(minutes=2), longest_wait=timedelta(minutes=32))


class ShiftReminder(ClassroomKind):
    """Two hours before a confirmed shift, to its tutor."""

    name = Owed.REMINDER.value
    queue = QueueName.URGENT
    expired_reason = CancelReason.SHIFT_STARTED

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Still confirmed, and still the version and the tutor that it was made for?"""
        return recheck_reminders(deliveries)

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """What the message said is kept, for corrections to compare with."""
        note_told(tx, sent)

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """The shift as it stands now; only those who plan shifts may go there."""
        with force_locale(language):
            return {
                shift.id: Description(
                    messages.title(self.name),
                    messages.summary(Facts(shift.tutor, shift.classroom, shift.starts_at, shift.ends_at), language),
                    f"/shifts/{shift.id}" if reader.role in STAFF else None,
                )
                for shift in standing(subject_ids).values()
            }


class ShiftCorrection(ShiftReminder):
    """What was told, or may have been, no longer holds: to whoever was told."""

    name = Owed.CORRECTION.value

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Still the version that it speaks of, and does it still differ from what was told?"""
        return recheck_corrections(deliveries)


class ShiftTable(ClassroomKind):
    """A month's shift table, to a LINE group."""

    name = KIND
    queue = QueueName.DEFAULT
    expired_reason = CancelReason.EXPIRED

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Neither replaced nor withdrawn, and is the group still one that gets it?"""
        return recheck_tables(deliveries)

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """Nothing to note: the ledger itself says which group got which revision."""

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """Which month and classroom; only those who plan shifts may go there."""
        with force_locale(language):
            return {
                table.id: Description(
                    _("Shift table"),
                    _(
                        "%(table)s, revision %(number)d",
                        number=table.revision,
                        table=table_name(table.month, table.classroom, language),
                    ),
                    f"/publications/{table.id}" if reader.role in STAFF else None,
                )
                for table in tables_of(subject_ids).values()
            }
