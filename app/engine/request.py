"""Which request goes out: the one that was frozen with the retry key, or a new one with a new key."""

import json

from app.channels import Channel
from app.clock import now
from app.codes import CancelReason, FailureCode
from app.kinds import Cancel, Due, Send
from app.outbox.moves import Begin, Claimed
from app.outbox.retry_key import key_usable
from app.tokens import retry_key


def choose(channel: Channel, claimed: Claimed, due: Due, said: Send) -> Begin | Cancel | FailureCode:
    """The request to make now, or why none may be made. Raises ValueError for a message the channel cannot speak.

    LINE remembers a key for 24 h: as long as it may have accepted a request, the same bytes go out under the same
    key, so that the person gets one copy, and with them goes the note of what they say; once every request was
    certainly refused, the fresh text gets a fresh key.
    """
    composed = channel.compose(due.address.target, said.message)
    note = None if said.note is None else json.dumps(said.note)
    if not channel.keyed:
        return Begin(claimed, composed, None, note)
    if claimed.retry_key is None or claimed.retry_key_used_at is None:
        return Begin(claimed, composed, claimed.retry_key or retry_key(), note)
    frozen = claimed.frozen_request
    if frozen is not None and frozen != composed:
        if not claimed.key_ambiguous:
            return Begin(claimed, composed, retry_key(), note)
        if channel.target_of(frozen) != due.address.target:
            return Cancel(CancelReason.ADDRESS_CHANGED)
    if not key_usable(claimed.retry_key_used_at, now()):
        return FailureCode.RETRY_KEY_EXPIRED
    return Begin(claimed, frozen or composed, claimed.retry_key, claimed.frozen_note or note)
