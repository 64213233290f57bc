"""Deliveries as an operator may find them."""

import re
from datetime import timedelta
from typing import Any

from app.clock import now
from app.codes import FailureCode
from app.outbox.models import Attempt, Delivery
from app.outbox.state import AttemptOutcome, State, Trigger
from app.reach.resolve import DEVICE
from app.transaction import writing
from tests.factories import change, line_user, make_delivery, make_tutor

KEY = "a7f0c1de-1111-4222-8333-444455a1b2c3"


def failed(code: FailureCode = FailureCode.LINE_SERVER_ERROR, **values: Any) -> int:
    """A delivery that failed at its first try, an hour ago."""
    standing: dict[str, Any] = {
        "state": State.FAILED, "failure_code": code, "attempts": 1, "round_attempts": 1, "retry_key": KEY,
        "retry_key_used_at": now() - timedelta(hours=1), "finished_at": now(), "next_attempt_at": None,
    }  # fmt: skip
    return standing_as(**standing | values)


def standing_as(**values: Any) -> int:
    """A delivery with these values, and its id."""
    tutor = make_tutor(line_user_id=values.pop("line_user_id", None))
    made = make_delivery(tutor, address_label="髙橋 花子")
    change(Delivery, made, **{"failure_code": None, "next_attempt_at": None} | values)
    return made


def pushed(code: FailureCode | None = FailureCode.PUSH_SERVER_ERROR, **values: Any) -> int:
    """A push that failed at its first try, or stands as these values say."""
    standing: dict[str, Any] = {
        "state": State.FAILED, "failure_code": code, "attempts": 1, "round_attempts": 1, "channel": "web_push",
        "gate_key": "web_push:fcm.googleapis.com", "address_type": DEVICE, "address_label": "髙橋 花子",
        "finished_at": now(),
    }  # fmt: skip
    return standing_as(**standing | values)


def tried(delivery_id: int, number: int = 1, **values: Any) -> None:
    """One try of a delivery, at which LINE answered with an error."""
    columns: dict[str, Any] = {
        "delivery_id": delivery_id, "number": number, "trigger": Trigger.AUTO, "started_at": now(),
        "finished_at": now(), "outcome": AttemptOutcome.TRANSIENT, "code": FailureCode.LINE_SERVER_ERROR,
        "may_have_arrived": True, "http_status": 500, "retry_key": KEY, "duration_ms": 312,
    }  # fmt: skip
    with writing() as tx:
        tx.session.add(Attempt(**columns | values))


SECRET_USER = line_user(0xFEEDFACE)
"""A LINE user id that no page may show."""


def shown(page: str) -> list[int]:
    """The ids of the rows of a list of deliveries, from top to bottom."""
    return [int(number) for number in re.findall(r'<tr id="delivery-(\d+)"', page)]
