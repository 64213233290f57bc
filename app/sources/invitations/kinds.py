"""The kind of the sign-in links that go out on LINE."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from flask_babel import force_locale

from app.accounts.invitations import Invited, Standing, look_at
from app.accounts.models import Role
from app.codes import CancelReason
from app.kinds import (
    Cancel,
    Description,
    Due,
    FinalVerdict,
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
from app.names import called
from app.sources.invitations import messages
from app.sources.invitations.send_by_line import KIND
from app.transaction import Transaction

ENDED = {
    Standing.USED: CancelReason.SUBJECT_RESOLVED,
    Standing.REPLACED: CancelReason.SUBJECT_RESOLVED,
    Standing.EXPIRED: CancelReason.EXPIRED,
    Standing.SUSPENDED: CancelReason.RECIPIENT_DISABLED,
}


class SignInLink(NeverAsks):
    """Somebody waits for it and cannot come in before, so that it goes first."""

    name = KIND
    category = "invitations"
    queue = QueueName.URGENT
    retry = RetryPolicy(tries=5, first_wait=timedelta(minutes=1), longest_wait=timedelta(minutes=8))
    expired_reason = CancelReason.EXPIRED

    def recheck(self, deliveries: Sequence[Due]) -> Mapping[int, Verdict]:
        """Neither used, ended nor replaced by a newer one? One query."""
        found = look_at({due.subject_id for due in deliveries})
        return {due.id: _verdict(due, found.get(due.subject_id)) for due in deliveries}

    def told(self, tx: Transaction, sent: Sequence[Told]) -> None:
        """Nothing to note: the ledger says that it went out, and using the link is noted where it is used."""

    def describe(self, subject_ids: Sequence[int], reader: Reader, language: str) -> Mapping[int, Description]:
        """Whose link it is, never the link: operators read this. Only administrators may go to the account."""
        with force_locale(language):
            return {
                invited.id: Description(
                    messages.named(called(invited.name)),
                    "",
                    f"/settings/accounts/{invited.account_id}" if reader.role == Role.ADMIN else None,
                )
                for invited in look_at(subject_ids).values()
            }


def _verdict(due: Due, invited: Invited | None) -> FinalVerdict:
    if invited is None:
        return Cancel(CancelReason.SUBJECT_DELETED)
    if invited.standing is not Standing.OPEN:
        return Cancel(ENDED[invited.standing])
    if invited.token is None:  # the signing key has changed since: the next one is made with the new key
        return Cancel(CancelReason.EXPIRED)
    return Send(_notice(due, invited.token, invited.by))


def _notice(due: Due, token: str, inviter: str | None) -> Notice:
    # The one place where the token leaves this process: the request to LINE. The ledger keeps that request, frozen for
    # repeats under the same key, until LINE took it or the key is forgotten; no page and no command shows it.
    with force_locale(due.language):
        return Notice(
            notification_id=None,
            title=messages.title(),
            body=messages.body(inviter),
            path=f"/invitations/{token}",
            urgency=Urgency.HIGH,
            until=due.expires_at,
            language=due.language,
        )
