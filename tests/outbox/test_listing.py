"""What an operator looks for: pages of what a filter leaves, how many that are, and what is new."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from flask import Flask
from sqlalchemy import update

from app.clock import now
from app.codes import CancelReason, FailureCode
from app.extensions import db
from app.outbox import listing
from app.outbox.attempts import AttemptResult
from app.outbox.listing import MOST, Count, FailureGroup, Filter
from app.outbox.models import Delivery
from app.outbox.moves import Ended, Finish
from app.outbox.state import AttemptOutcome, State
from app.outbox.transitions import cancel, finish
from app.place import Place
from tests.factories import make_account, make_tutor, owe_many
from tests.outbox.ledger import KEY, MINUTE, OTHER_KEY, begun, claimed, owing, place, quietly

MANY = 3000


def found(wanted: Filter) -> list[int]:
    """The ids of its first page."""
    return [row.id for row in listing.page(wanted, None, 100).rows]


def walked(wanted: Filter, size: int, oldest_first: bool = False) -> list[int]:
    """The ids of all its pages, one after the other."""
    seen, after = list[int](), None
    while True:
        page = listing.page(wanted, after, size, oldest_first)
        seen += [row.id for row in page.rows]
        assert len(page.rows) == size or page.next is None
        if page.next is None:
            return seen
        after = page.next


def crowd() -> list[int]:
    """Thousands that were made at one instant, in every state."""
    tutor = make_tutor()
    with quietly() as tx:
        owed = owe_many(tx, tutor, MANY)
        for number, state in enumerate(State):
            ended = {"finished_at": now()} if state in (State.SENT, State.CANCELED, State.FAILED) else {}
            some = Delivery.id.in_(owed[number :: len(State)])
            tx.session.execute(update(Delivery).where(some).values(state=state, **ended))
    return owed


def test_pages_neither_skip_nor_repeat_rows_when_thousands_share_an_instant(ledger: Flask) -> None:
    owed = crowd()
    assert walked(Filter(), 499) == owed[::-1]
    assert walked(Filter(), 1000, oldest_first=True) == owed
    assert walked(Filter(kind="probe", channel="line"), 700) == owed[::-1]
    assert walked(Filter(state="sent"), 100) == owed[4 :: len(State)][::-1]


def test_what_comes_in_meanwhile_moves_no_later_page(ledger: Flask) -> None:
    older = [owing() for _ in range(3)]
    first = listing.page(Filter(), None, 2)
    owing()
    assert first.next is not None
    assert [row.id for row in listing.page(Filter(), first.next, 2).rows] == older[:1]


def test_a_page_that_is_just_full_is_the_last(ledger: Flask) -> None:
    first, second = owing(), owing()
    page = listing.page(Filter(), None, 2)
    assert ([row.id for row in page.rows], page.next) == ([second, first], None)
    page = listing.page(Filter(), None, 1)
    assert page.next == Place(now(), second)


def test_pages_are_in_the_order_of_time_whatever_the_ids_and_the_states(ledger: Flask) -> None:
    newer, older, same = owing(), place(State.SENT, created_at=now() - MINUTE), place(State.CANCELED)
    assert walked(Filter(), 2) == [same, newer, older]
    assert walked(Filter(), 2, oldest_first=True) == [older, newer, same]


def test_each_filter_leaves_what_it_names(ledger: Flask) -> None:
    person = make_account()
    sent = place(State.SENT)
    failed = place(State.FAILED, failure_code=FailureCode.LINE_TIMEOUT, dead_letter=True)
    canceled = place(State.CANCELED, cancel_reason=CancelReason.SHIFT_CHANGED, failure_code=FailureCode.LINE_TIMEOUT)
    pushed = place(State.SENT, channel="web_push", scope="store:1")
    another = place(State.SENT, kind="another", subject_type="x", subject_id=9, subject_version=2)
    old = place(State.SENT, created_at=now() - timedelta(days=2))
    theirs = place(State.QUEUED, account_id=person)
    group = place(State.RETRY, address_type="line_group", address_id=77)
    assert found(Filter()) == [group, theirs, another, pushed, canceled, failed, sent, old]
    assert found(Filter(state="failed")) == [failed]
    assert found(Filter(kind="another")) == found(Filter(subject=("x", 9))) == [another]
    assert found(Filter(channel="web_push")) == found(Filter(scope="store:1")) == [pushed]
    assert found(Filter(code="LINE_TIMEOUT")) == [group, failed]
    assert found(Filter(code="shift_changed")) == [canceled]
    assert found(Filter(code="shift_changed", state="failed")) == []
    assert found(Filter(dead_letter=True)) == [failed]
    assert found(Filter(dead_letter=True, state="sent")) == []
    assert found(Filter(account_id=person)) == [theirs]
    assert found(Filter(group_id=77)) == [group]
    assert found(Filter(created_before=now())) == [old]
    assert found(Filter(created_from=now(), state="sent")) == [another, pushed, sent]
    assert found(Filter(state="failed", channel="web_push")) == []


def test_a_period_begins_with_its_first_instant_and_ends_before_its_last(ledger: Flask) -> None:
    whole = [place(State.SENT, created_at=now() - minutes * MINUTE) for minutes in (3, 2, 2, 1, 0)]
    wanted = Filter(created_from=now() - 2 * MINUTE, created_before=now())
    assert walked(wanted, 2) == whole[3:0:-1]
    assert walked(wanted, 2, oldest_first=True) == whole[1:4]
    page = listing.page(wanted, Place(now() + MINUTE, 1), 9)
    assert [row.id for row in page.rows] == whole[3:0:-1], "a place outside of the period widens nothing"


def test_a_search_takes_whole_names_only(ledger: Flask) -> None:
    one = place(State.SENT, address_label="佐藤 Anna", retry_key=KEY, dedup_key="d-1")
    other = place(State.FAILED, address_label="鈴木", retry_key=OTHER_KEY)
    for words in (str(one), KEY, f" {KEY.upper()} ", KEY[-6:], "d-1"):
        assert found(Filter(search=words)) == [one], words
    for words in ("佐藤", "Anna", KEY[:-1], KEY[-5:], "d-", "%", "_", "'; --", "9" * 30, "²", " "):
        assert found(Filter(search=words)) == [], words
    assert found(Filter(search=OTHER_KEY, state="sent")) == []
    assert found(Filter(search=OTHER_KEY, code="LINE_BAD_REQUEST")) == [other]


def test_a_search_by_a_request_id_looks_among_the_tries_and_at_what_line_had_before(ledger: Flask) -> None:
    refused, repeated = owing(), owing()
    _end(refused, Finish.failed(FailureCode.LINE_BAD_REQUEST, _result("r-1")))
    _end(repeated, Finish.sent(_result("r-3"), "r-2", already_accepted=True))
    assert found(Filter(search="r-1")) == [refused]
    assert found(Filter(search="r-2")) == found(Filter(search="r-3")) == [repeated]


def test_an_export_is_read_in_slices_between_which_nothing_is_open(ledger: Flask) -> None:
    owed = [owing() for _ in range(5)]
    slices = listing.slices_of(Filter(kind="probe"), 2)
    first = next(slices)
    assert not db.session().in_transaction()
    assert not db.session().identity_map
    with quietly() as tx:  # nobody is kept from writing meanwhile
        tx.session.execute(update(Delivery).where(Delivery.id == owed[0]).values(kind="another"))
    assert [[row.id for row in rows] for rows in (first, *slices)] == [owed[:2:-1], owed[2:0:-1]]
    assert list(listing.slices_of(Filter(kind="nothing"), 2)) == []


def test_rows_that_a_reader_has_are_read_again_and_told_from_those_that_the_filter_leaves_no_more(
    ledger: Flask,
) -> None:
    failed, again, gone = place(State.FAILED), place(State.PENDING), place(State.SENT)
    wanted = Filter(state="failed", created_before=now() - MINUTE)
    assert [(row.id, stays) for row, stays in listing.with_ids([failed, again], wanted)] == [
        (again, False),
        (failed, True),
    ]
    assert [stays for _, stays in listing.with_ids([gone], Filter(search=str(gone)))] == [True]
    assert [stays for _, stays in listing.with_ids([gone], Filter(created_from=now() + MINUTE))] == [False]
    assert listing.with_ids([], wanted) == []


def test_counts_name_every_state_and_are_exact_where_nothing_narrows_them(ledger: Flask) -> None:
    crowd()
    expected = {state: 429 if number < 4 else 428 for number, state in enumerate(State)}
    assert listing.counts() == {state: Count(number) for state, number in expected.items()}
    assert listing.counts(Filter(state="failed")) == listing.counts()


def test_what_a_filter_leaves_is_counted_up_to_a_thousand(ledger: Flask) -> None:
    tutor = make_tutor()
    with quietly() as tx:
        owed = owe_many(tx, tutor, MOST + 1)
        tx.session.execute(update(Delivery).where(Delivery.id == owed[0]).values(state=State.RETRY))
    wanted, none = Filter(kind="probe", state="sent"), dict.fromkeys(State, Count(0))
    assert listing.counts(wanted) == none | {State.PENDING: Count(MOST), State.RETRY: Count(1)}
    owing()
    assert listing.counts(wanted)[State.PENDING] == Count(MOST, more=True)
    assert listing.counts(Filter(code="shift_changed")) == none
    assert listing.counts(Filter(search=str(owed[0]))) == none | {State.RETRY: Count(1)}
    assert listing.counts(Filter(created_before=now())) == none


def test_what_is_new_is_counted_from_the_place_that_the_reader_saw(ledger: Flask) -> None:
    seen = owing()
    here = Place(now(), seen)
    assert listing.new_since(Filter(), here) == Count(0)
    place(State.SENT)
    owing(kind="another")
    assert listing.new_since(Filter(), here) == Count(2)
    assert listing.new_since(Filter(kind="another"), here) == Count(1)
    assert listing.new_since(Filter(state="failed"), here) == Count(0)
    crowd()
    assert listing.new_since(Filter(), here) == Count(MOST, more=True)


def test_failures_are_grouped_by_channel_and_code(ledger: Flask, clock: time_machine.Traveller) -> None:
    first = now()
    timeout, refused = FailureCode.LINE_TIMEOUT, FailureCode.LINE_BAD_REQUEST
    place(State.FAILED, failure_code=timeout, dead_letter=True)
    place(State.CANCELED, failure_code=timeout)
    place(State.SENDING, failure_code=timeout)
    place(State.PENDING)
    clock.shift(60)
    place(State.FAILED, failure_code=timeout)
    place(State.RETRY, failure_code=refused)
    place(State.FAILED, failure_code=timeout, channel="web_push")
    assert listing.failures() == [
        FailureGroup("line", timeout, 2, first, now(), waiting=1, dead_letters=1),
        FailureGroup("web_push", timeout, 1, now(), now(), waiting=0, dead_letters=0),
        FailureGroup("line", refused, 0, now(), None, waiting=1, dead_letters=0),
    ]


def test_what_was_rightly_not_sent_is_counted_by_reason_among_what_was_owed_since(
    ledger: Flask, clock: time_machine.Traveller
) -> None:
    place(State.CANCELED, cancel_reason=CancelReason.EXPIRED)
    clock.shift(60)
    since = now()
    for reason in (CancelReason.EXPIRED, CancelReason.CONDITION_LOST, CancelReason.CONDITION_LOST):
        place(State.CANCELED, cancel_reason=reason)
    place(State.FAILED, failure_code=FailureCode.LINE_TIMEOUT)
    expected = [(CancelReason.CONDITION_LOST, Count(2)), (CancelReason.EXPIRED, Count(1))]
    assert list(listing.rightly_not_sent(since).items()) == expected
    clock.shift(60)
    assert listing.rightly_not_sent(now()) == {}


def test_what_is_said_of_one_version_of_a_subject_is_counted_exactly(ledger: Flask) -> None:
    same = {"subject_type": "announcement", "subject_id": 7}
    _places([State.SENT, State.SENT, State.FAILED], subject_version=2, **same)
    _places([State.SENT], subject_version=1, **same)
    assert listing.counts_about(("announcement", 7), 2) == dict.fromkeys(State, 0) | {State.SENT: 2, State.FAILED: 1}


def _places(states: Sequence[State], **changes: object) -> None:
    for state in states:
        place(state, **changes)


def _result(request_id: str) -> AttemptResult:
    return AttemptResult(AttemptOutcome.REJECTED, may_have_arrived=False, provider_request_id=request_id)


def _end(delivery_id: int, how: Finish) -> None:
    one = claimed(delivery_id)
    attempt_id = begun(one)
    with quietly() as tx:
        assert finish(tx, [Ended(one, attempt_id, how)]) == {delivery_id}


@pytest.mark.parametrize(
    "narrowed",
    [
        {"dead_letter": True, "state": "sent"},
        {"code": "LINE_TIMEOUT", "state": "canceled"},
        {"code": "line_disabled", "dead_letter": True},
    ],
)
def test_a_search_beside_conditions_that_nothing_can_meet_finds_nothing(
    ledger: Flask, narrowed: dict[str, Any]
) -> None:
    for one in (place(State.SENT), place(State.CANCELED)):
        wanted = Filter(search=str(one), **narrowed)
        assert not listing.page(wanted, None, 5).rows
        assert listing.new_since(wanted, Place(now() - MINUTE, 1)).number == 0
        assert list(listing.slices_of(wanted, 5)) == []


def test_a_row_that_was_canceled_is_left_no_more_by_the_code_that_it_had_before(ledger: Flask) -> None:
    """As the list itself has it: once canceled, only the reason of that explains where it stands."""
    wanted = Filter(code="LINE_TIMEOUT")
    one = place(State.RETRY)
    assert [(delivery.id, stays) for delivery, stays in listing.with_ids([one], wanted)] == [(one, True)]
    with quietly() as tx:
        cancel(tx, [one], CancelReason.BY_OPERATOR)
    assert found(wanted) == []
    assert [(delivery.id, stays) for delivery, stays in listing.with_ids([one], wanted)] == [(one, False)]
