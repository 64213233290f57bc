"""What would become of a delivery, on its page."""

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.clock import now
from app.codes import CancelReason
from app.i18n import exact
from app.kinds import KINDS, Ask, Cancel, Hold, Verdict
from app.operations import gates
from app.outbox.state import State
from app.transaction import writing
from tests.factories import make_account
from tests.fakes.kind import Probe
from tests.operations.operator import OPERATOR
from tests.web.ledger import failed, standing_as
from tests.web.visitor import Visitor, text_of

RETRIED = "If it were retried now"
NEXT = "At the next try"


def probe() -> Probe:
    found = KINDS["probe"]
    assert isinstance(found, Probe)
    return found


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"retry_key": None, "retry_key_used_at": None}, "It would be sent. It gets its first retry key."),
        ({}, "It would be sent. It keeps its retry key, so LINE delivers it at most once."),
        (
            {"key_ambiguous": True, "retry_key_used_at": now() - timedelta(hours=25)},
            "LINE has forgotten the old one. If an earlier request did arrive, the message arrives a second time.",
        ),
        ({"frozen_request": b'{"to":"U1"}'}, "It gets a new retry key, and says what is true now"),
    ],
    ids=["first", "same", "forgotten", "changed"],
)
def test_it_says_under_which_key_it_would_go_out(
    pages_app: Flask, admin: Visitor, values: dict[str, Any], says: str
) -> None:
    with pages_app.app_context():
        one = failed(**values)
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert says in page.partition(RETRIED)[2]


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (Cancel(CancelReason.SHIFT_CHANGED, "moved to 19:00"), "It would be canceled, not sent. The shift was changed"),
        (Cancel(CancelReason.SHIFT_CHANGED, "moved <b>to</b> 19:00"), "moved <b>to</b> 19:00"),
        (Ask(lambda: None, "shop.example"), "would be asked first"),
        (RuntimeError("broken"), "The check before sending would break"),
    ],
    ids=["canceled", "as typed", "ask", "broken"],
)
def test_it_says_what_its_source_would_say(
    pages_app: Flask, admin: Visitor, verdict: Verdict | Exception, says: str
) -> None:
    with pages_app.app_context():
        one = failed()
    probe().verdicts[one] = verdict
    for answer in (admin.get(f"/deliveries/{one}"), admin.part(f"/deliveries/{one}")):
        assert answer.status_code == 200
        assert says in text_of(answer).partition(RETRIED)[2]


def test_it_says_how_long_quiet_hours_would_hold_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one, until = failed(), now() + timedelta(hours=3)
        told = exact(until, "en")
    probe().verdicts[one] = Hold(until)
    assert f"held back by the recipient's quiet hours. Until {told}." in text_of(admin.get(f"/deliveries/{one}"))


def test_what_waits_by_itself_is_told_for_its_next_try(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.PENDING)
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert "It would be sent." in page.partition(NEXT)[2]
    assert RETRIED not in page


@pytest.mark.parametrize("state", [State.SENDING, State.SENT, State.CANCELED])
def test_what_has_ended_or_is_being_sent_has_nothing_before_it(pages_app: Flask, admin: Visitor, state: State) -> None:
    with pages_app.app_context():
        one = standing_as(state=state)
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert RETRIED not in page
    assert NEXT not in page


def test_a_closed_gate_is_said_first_with_the_way_to_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
        with writing() as tx:
            gates.pause(tx, OPERATOR, "line", "")
    page = admin.get(f"/deliveries/{one}")
    assert "Nothing goes through now: an operator has paused it." in text_of(page)
    assert 'href="/gates"' in page.text


def test_in_japanese_too(pages_app: Flask) -> None:
    with pages_app.app_context():
        one, reader = failed(), Visitor(pages_app, make_account("admin"), "ja")
    assert "いま再送した場合" in text_of(reader.get(f"/deliveries/{one}"))
