"""`flask deliveries`: look at what is owed, and act on it."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

import click
from flask.cli import with_appcontext

from app import audit
from app.audit import COMMAND_LINE
from app.cli.output import emit, explains_faults, json_option
from app.codes import CANCELLATIONS, FAILURES, CancelReason, FailureCode
from app.faults import Fault, InvalidInput
from app.names import called
from app.operations import deliveries as operations
from app.operations.deliveries import ConfirmationNeededError, ConflictError, NoSuchDeliveryError
from app.outbox import listing, queries
from app.outbox.listing import Filter
from app.outbox.models import Attempt, Delivery
from app.outbox.state import State
from app.transaction import Transaction, writing

MOST = 1000
BIGGEST_ID = 2**63 - 1
NOT_SHOWN = {"frozen_request", "frozen_note", "lease_token"}
"""An address and a message, what its source noted of it, and what is a worker's own."""

why_option = click.option("--why", default="", help="For whoever wonders.")
ids_argument = click.argument("ids", type=click.IntRange(1, BIGGEST_ID), nargs=-1, required=True, metavar="ID...")


@click.group()
def deliveries() -> None:
    """Look at deliveries, retry and cancel them."""


@deliveries.command("list")
@click.option("--state", type=click.Choice([str(state) for state in State]))
@click.option("--code", help="A failure code or a cancel reason.")
@click.option("--kind", help="Such as shift_reminder.")
@click.option("--dead-letter", is_flag=True, help="Only those whose tries ran out.")
@click.option("--limit", type=click.IntRange(1, MOST), default=50, show_default=True)
@json_option
@explains_faults
@with_appcontext
def list_deliveries(
    state: str | None, code: str | None, kind: str | None, dead_letter: bool, limit: int, as_json: bool
) -> None:
    """List deliveries, newest first."""
    if code is not None and code not in {*FailureCode, *CancelReason}:
        raise InvalidInput(Fault("code", f"Choose one of: {', '.join([*FailureCode, *CancelReason])}."))
    found = listing.page(Filter(state=state, code=code, kind=kind, dead_letter=dead_letter), None, limit).rows
    emit([_plain(one) for one in found], as_json, [_line(one) for one in found] or ["No delivery matches."])


@deliveries.command("show")
@click.argument("delivery_id", type=click.IntRange(1, BIGGEST_ID), metavar="ID")
@json_option
@explains_faults
@with_appcontext
def show(delivery_id: int, as_json: bool) -> None:
    """Show one delivery with every attempt and every act."""
    delivery = queries.get(delivery_id)
    if delivery is None:
        raise InvalidInput(_unknown(delivery_id))
    attempts, acts = queries.timeline(delivery_id), audit.entries(operations.SUBJECT, delivery_id)
    document = _plain(delivery) | {
        "timeline": [_plain(attempt) for attempt in attempts],
        "acts": [{"at": act.at, "by": act.who, "act": act.act, "detail": act.detail} for act in acts],
    }
    told = [f"  {act.at:%Y-%m-%d %H:%M:%S}Z {act.act} by {act.who}  {act.why}".rstrip() for act in acts]
    emit(document, as_json, [_line(delivery), *(_attempt_line(attempt) for attempt in attempts), *told])


@deliveries.command("retry")
@ids_argument
@click.option("--rotate-key", is_flag=True, help="Use a new LINE retry key, whatever the age of the present one.")
@click.option("--yes", is_flag=True, help="Accept that a new key may send a second copy of what LINE already took.")
@why_option
@json_option
@explains_faults
@with_appcontext
def retry(ids: tuple[int, ...], rotate_key: bool, yes: bool, why: str, as_json: bool) -> None:
    """Send failed or waiting deliveries again."""
    act = operations.rotate_key if rotate_key else operations.retry

    def send_again(tx: Transaction, delivery_id: int) -> None:
        act(tx, COMMAND_LINE, delivery_id, confirmed=yes, seen_attempts=None, why=why)

    _act_on_each(ids, send_again, as_json)


@deliveries.command("cancel")
@ids_argument
@why_option
@json_option
@explains_faults
@with_appcontext
def cancel(ids: tuple[int, ...], why: str, as_json: bool) -> None:
    """Stop owing deliveries that are not being sent."""
    _act_on_each(ids, lambda tx, delivery_id: operations.cancel(tx, COMMAND_LINE, delivery_id, why=why), as_json)


def _act_on_each(ids: Iterable[int], act: Callable[[Transaction, int], None], as_json: bool) -> None:
    """Each on its own, so that one that cannot be helped keeps nobody; exit code 1 if there was any."""
    results = [_act_on(delivery_id, act) for delivery_id in dict.fromkeys(ids)]
    emit(results, as_json, [f"{result['id']}: {result['message']}" for result in results])
    if not all(result["done"] for result in results):
        sys.exit(1)


def _act_on(delivery_id: int, act: Callable[[Transaction, int], None]) -> dict[str, Any]:
    done, message = False, ""
    try:
        with writing() as tx:
            act(tx, delivery_id)
        done, message = True, "done"
    except NoSuchDeliveryError:
        message = _unknown(delivery_id).message
    except ConflictError as conflict:
        message = f"It is {conflict.state}, which does not allow this."
    except ConfirmationNeededError:
        message = "LINE may already have accepted it, and a new key could send a second copy. Add --yes to accept that."
    delivery = queries.get(delivery_id)
    return {"id": delivery_id, "done": done, "state": delivery.state if delivery else None, "message": message}


def _unknown(delivery_id: int) -> Fault:
    return Fault("id", f"There is no delivery {delivery_id}.")


def _plain(row: Delivery | Attempt) -> dict[str, Any]:
    names = type(row).__table__.columns.keys()
    return {name: getattr(row, name) for name in names if name not in NOT_SHOWN}


def _line(delivery: Delivery) -> str:
    reason = delivery.reason or ""
    who = f"{delivery.kind} for {called(delivery.address_label)}"
    line = f"{delivery.id}  {delivery.created_at:%Y-%m-%d %H:%M}Z  {delivery.state:8}  {who}  {reason}"
    return f"{line.rstrip()}{_sentence(delivery)}"


def _sentence(delivery: Delivery) -> str:
    if delivery.reason is None:
        return ""
    if delivery.state == State.CANCELED:
        return f" – {CANCELLATIONS[CancelReason(delivery.reason)].cause}"
    return f" – {FAILURES[FailureCode(delivery.reason)].cause}"


def _attempt_line(attempt: Attempt) -> str:
    answer = " ".join(str(part) for part in (attempt.code, attempt.http_status, attempt.detail) if part)
    return f"  {attempt.started_at:%Y-%m-%d %H:%M:%S}Z try {attempt.number} ({attempt.trigger}): " + (
        f"{attempt.outcome or 'under way'} {answer}".rstrip()
    )
