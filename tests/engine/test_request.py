"""Which request goes out: as long as LINE may have accepted one, the same bytes under the same key."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.engine.request import choose
from app.kinds import Address, Cancel, Due, Send
from app.outbox.moves import Begin, Claimed
from tests.outbox.line_model import LineModel, Words

KEY = "11111111-1111-4111-8111-111111111111"
NOON = datetime(2026, 11, 30, 3, tzinfo=UTC)
DAY = timedelta(hours=24)
BOUND = timedelta(seconds=10)
SAID = b"U1|hello"


@pytest.fixture(autouse=True)
def _time_stands_still() -> object:
    with time_machine.travel(NOON, tick=False):
        yield


def test_the_first_request_gets_a_new_key() -> None:
    chosen = _choose(claimed_at(None))
    assert isinstance(chosen, Begin)
    assert chosen.request == SAID
    assert chosen.retry_key not in (None, KEY)


def test_a_channel_without_keys_gets_none() -> None:
    line = LineModel(keyed=False)
    claimed = claimed_at(now(), frozen=b"U1|before", ambiguous=True)
    assert choose(line, claimed, _due(claimed, "U1"), Send(Words("hello"))) == Begin(claimed, SAID, None)


@pytest.mark.parametrize("ambiguous", [True, False])
@pytest.mark.parametrize("age", [timedelta(0), timedelta(hours=1), DAY - BOUND - timedelta(microseconds=1)])
def test_the_same_words_go_out_under_the_same_key_while_line_knows_it(ambiguous: bool, age: timedelta) -> None:
    claimed = claimed_at(now() - age, ambiguous=ambiguous)
    assert _choose(claimed) == Begin(claimed, SAID, KEY)


@pytest.mark.parametrize("ambiguous", [True, False])
@pytest.mark.parametrize("age", [DAY - BOUND, DAY, DAY * 30])
@pytest.mark.parametrize("frozen", [SAID, None])
def test_a_key_that_line_may_forget_before_the_request_is_over_is_never_used(
    ambiguous: bool, age: timedelta, frozen: bytes | None
) -> None:
    claimed = claimed_at(now() - age, frozen=frozen, ambiguous=ambiguous)
    assert _choose(claimed) == FailureCode.RETRY_KEY_EXPIRED


@pytest.mark.parametrize(("words", "recipient"), [("changed", "U1"), ("hello", "U2"), ("changed", "U2")])
def test_after_certain_refusals_what_changed_goes_out_under_a_new_key(words: str, recipient: str) -> None:
    claimed = claimed_at(now() - timedelta(hours=1), ambiguous=False)
    chosen = _choose(claimed, words, recipient)
    assert isinstance(chosen, Begin)
    assert chosen.request == f"{recipient}|{words}".encode()
    assert chosen.retry_key not in (None, KEY)


def test_when_line_may_have_it_the_frozen_words_are_repeated() -> None:
    claimed = claimed_at(now() - timedelta(hours=1), ambiguous=True)
    assert _choose(claimed, "changed") == Begin(claimed, SAID, KEY)


def test_when_line_may_have_it_and_the_address_changed_nothing_more_is_sent() -> None:
    claimed = claimed_at(now() - timedelta(hours=1), ambiguous=True)
    assert _choose(claimed, "hello", "U2") == Cancel(CancelReason.ADDRESS_CHANGED)


def test_when_line_may_have_it_under_a_key_too_old_not_even_changed_words_are_sent() -> None:
    assert _choose(claimed_at(now() - DAY, ambiguous=True), "changed") == FailureCode.RETRY_KEY_EXPIRED


def _choose(
    claimed: Claimed, words: str = "hello", recipient: str = "U1", note: object = None
) -> Begin | Cancel | FailureCode:
    return choose(LineModel(), claimed, _due(claimed, recipient), Send(Words(words), note))


@pytest.mark.parametrize(("ambiguous", "noted"), [(True, '"of before"'), (False, '"of now"')])
def test_the_note_that_goes_along_is_that_of_the_words_that_go_out(ambiguous: bool, noted: str) -> None:
    claimed = replace(claimed_at(now() - timedelta(hours=1), ambiguous=ambiguous), frozen_note='"of before"')
    chosen = _choose(claimed, "changed", note="of now")
    assert isinstance(chosen, Begin)
    assert (chosen.request == SAID, chosen.note) == (ambiguous, noted)


def claimed_at(first_use: datetime | None, frozen: bytes | None = SAID, ambiguous: bool = False) -> Claimed:
    """A claimed delivery whose key was first used then; None: it has no key yet."""
    used = first_use is not None
    return Claimed(
        id=1, kind="probe", channel="line", subject_type="probe", subject_id=1, subject_version=1, notification_id=None,
        account_id=1, address_type="line_link", address_id=1, gate_key="line", expires_at=None, attempts=int(used),
        round_attempts=int(used), next_trigger="auto", retry_key=KEY if used else None, retry_key_used_at=first_use,
        key_ambiguous=ambiguous, frozen_request=frozen if used else None, frozen_note=None,
        lease_token="a" * 32,
        created_at=now(),
    )  # fmt: skip


def _due(claimed: Claimed, recipient: str) -> Due:
    return Due(
        claimed.id, claimed.kind, claimed.channel, claimed.subject_type, claimed.subject_id, claimed.subject_version,
        claimed.account_id, claimed.expires_at, Address("line_link", 1, recipient), "ja",
    )  # fmt: skip
