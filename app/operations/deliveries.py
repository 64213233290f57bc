"""Retry, rotate key, cancel: what an operator may do to one delivery."""

from dataclasses import dataclass

from app import audit
from app.audit import Actor
from app.channels import CHANNELS
from app.clock import now
from app.codes import CancelReason
from app.operations.why import noted
from app.outbox import queries, transitions
from app.outbox.models import Delivery
from app.outbox.retry_key import key_usable
from app.outbox.state import RETRYABLE, WAITING, State
from app.transaction import Transaction

SUBJECT = "delivery"


class NoSuchDeliveryError(LookupError):
    """There is no delivery with this id."""


@dataclass
class ConflictError(Exception):
    """The delivery stands in a state that does not allow this act, or has moved on since it was looked at."""

    state: State


class ConfirmationNeededError(Exception):
    """A new key could double a message that LINE may already have accepted: the operator has to say yes to that."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What an operator may do to a delivery now, and what the doing means."""

    retry: bool
    keyed: bool
    """Whether its provider tells two copies apart by a retry key, as LINE does."""
    rotate_key: bool
    cancel: bool
    new_key: bool
    """Whether Retry would go out with a new key, the present one being too old."""
    another_key: bool
    """Whether there is a key that LINE still knows, so that rotating it is another act than Retry."""
    may_double: bool
    """Whether a request that went out (on LINE: under the present key) may have been accepted. LINE shows another one,
    under a new key, as a second copy; a push takes the place of the one before it."""


def offer(delivery: Delivery) -> Offer:
    """The acts that this delivery's state allows."""
    retryable, keyed = State(delivery.state) in RETRYABLE, CHANNELS[delivery.channel].keyed
    new_key = not key_usable(delivery.retry_key_used_at, now())
    return Offer(
        retry=retryable,
        keyed=keyed,
        rotate_key=retryable and keyed,
        cancel=State(delivery.state) in WAITING,
        new_key=new_key,
        another_key=retryable and keyed and not new_key and delivery.retry_key is not None,
        may_double=delivery.key_ambiguous,
    )


def retry(
    tx: Transaction, actor: Actor, delivery_id: int, *, confirmed: bool, seen_attempts: int | None, why: str = ""
) -> None:
    """Send again: with the same key while LINE remembers it, with a new one otherwise.

    `seen_attempts` is the number of tries that the operator saw; of two who press at once only one starts a try.
    Raises NoSuchDeliveryError, ConflictError, ConfirmationNeededError, InvalidInput.
    """
    delivery = _get(delivery_id)
    _send_again(tx, actor, delivery, "retry", offer(delivery).new_key, confirmed, seen_attempts, why)


def rotate_key(
    tx: Transaction, actor: Actor, delivery_id: int, *, confirmed: bool, seen_attempts: int | None, why: str = ""
) -> None:
    """Send again with a new key, whatever the age of the present one. Not every channel knows keys.

    Raises NoSuchDeliveryError, ConflictError, ConfirmationNeededError, InvalidInput.
    """
    delivery = _get(delivery_id)
    if not offer(delivery).rotate_key:
        raise ConflictError(State(delivery.state))
    _send_again(tx, actor, delivery, "rotate_key", True, confirmed, seen_attempts, why)


def cancel(tx: Transaction, actor: Actor, delivery_id: int, *, why: str = "") -> None:
    """Stop owing it. Raises NoSuchDeliveryError, InvalidInput, and ConflictError while it is being sent or when it has
    ended."""
    delivery = _get(delivery_id)
    before, said = delivery.state, noted(why)
    if not transitions.cancel(tx, [delivery_id], CancelReason.BY_OPERATOR):
        raise ConflictError(State(before))
    audit.note(tx, actor, "cancel", (SUBJECT, delivery_id), {"state": before, **said})


def _get(delivery_id: int) -> Delivery:
    delivery = queries.get(delivery_id)
    if delivery is None:
        raise NoSuchDeliveryError(delivery_id)
    return delivery


def _send_again(
    tx: Transaction,
    actor: Actor,
    delivery: Delivery,
    act: str,
    new_key: bool,
    confirmed: bool,
    seen_attempts: int | None,
    why: str,
) -> None:
    before, said = State(delivery.state), noted(why)
    may_double = new_key and delivery.key_ambiguous
    seen = delivery.attempts if seen_attempts is None else seen_attempts
    if before not in RETRYABLE or seen != delivery.attempts:
        raise ConflictError(before)
    if may_double and not confirmed:
        raise ConfirmationNeededError
    if not transitions.retry(tx, delivery.id, new_key, seen):
        raise ConflictError(before)
    facts = {"state": before, "code": delivery.failure_code, "new_key": new_key, "may_double": may_double, **said}
    audit.note(tx, actor, act, (SUBJECT, delivery.id), facts)
