"""Promise: a shift that is moved there and back while its message is on its way is told once, and truly."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app.audit import Actor
from app.extensions import db
from app.operations import deliveries as operations
from app.outbox.state import State
from app.sources.classroom.models import Classroom, ShiftTold
from app.sources.classroom.telling.tell import remind
from app.sources.classroom.telling.told import told_about
from app.transaction import writing
from tests.factories import all_deliveries, change, make_shift, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, BAD_REQUEST, FAIL_500, HOLD, Answer
from tests.fixtures.background import Background, later, until
from tests.stories.shifts import DAY, HOUR, kinds, move, reminded, told, values_of

pytestmark = pytest.mark.usefixtures("everywhere")

TEN_MINUTES = timedelta(minutes=10)
OPERATOR = Actor(None, "operator")


def there_and_back(shift: int) -> None:
    move(shift, TEN_MINUTES)
    move(shift, -TEN_MINUTES)


def all_that_follows(background: Background) -> None:
    """Everything that waits is tried, and the scan looks twice."""
    background.work()
    for minutes in (5, 20):
        with later(minutes=minutes):
            remind()
            background.run()


def versions_told() -> Sequence[int]:
    db.session.rollback()
    return db.session.scalars(select(ShiftTold.version).order_by(ShiftTold.id)).all()


@pytest.mark.parametrize("first", [ACCEPT_THEN_500, FAIL_500], ids=lambda answer: answer.name)
def test_a_reminder_that_may_have_arrived_repeats_itself_and_no_second_one_is_made(
    app: Flask, background: Background, line: FakeLine, first: Answer
) -> None:
    line.script(first)
    shift = make_shift(make_tutor(language="en"))
    remind()
    background.work()
    there_and_back(shift)
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours"]
    assert kinds() == [("shift_reminder", State.SENT), ("shift_correction", State.CANCELED)]
    assert versions_told() == [1], "what it said is the first version's plan"


def test_a_reminder_that_waits_in_the_queue_still_holds(app: Flask, background: Background, line: FakeLine) -> None:
    shift = make_shift(make_tutor(language="en"))
    remind()
    there_and_back(shift)
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours"]
    assert kinds() == [("shift_reminder", State.SENT), ("shift_reminder", State.CANCELED)]


def test_a_reminder_in_flight_is_not_followed_by_a_second_one(
    app: Flask, background: Background, line: FakeLine
) -> None:
    line.script(HOLD)
    shift = make_shift(make_tutor(language="en"))
    remind()
    with background.sending("shift_reminder", only_delivery().id):
        until(line.holding.is_set, "LINE has the request")
        there_and_back(shift)
        remind()
        line.release()
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours"]
    assert kinds() == [("shift_reminder", State.SENT), ("shift_correction", State.CANCELED)]


def test_a_reminder_whose_worker_was_lost_is_recognised_by_its_key(
    app: Flask, background: Background, line: FakeLine
) -> None:
    line.script(HOLD)
    shift = make_shift(make_tutor(language="en"))
    remind()
    with background.sending("shift_reminder", only_delivery().id):
        until(line.holding.is_set, "LINE has the request")
        there_and_back(shift)
        with later(seconds=121):
            assert background.recover()["lost"] == 1
        line.release()
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours"]
    assert kinds() == [("shift_reminder", State.SENT), ("shift_correction", State.CANCELED)]
    assert all_deliveries()[0].already_accepted


def test_a_reminder_that_was_canceled_in_between_is_made_afresh(
    app: Flask, background: Background, line: FakeLine
) -> None:
    line.script(FAIL_500, BAD_REQUEST)
    shift = make_shift(make_tutor(language="en"))
    remind()
    background.work()
    move(shift, TEN_MINUTES)
    background.work()
    with later(minutes=3):
        background.run()
    assert kinds() == [("shift_reminder", State.CANCELED), ("shift_correction", State.FAILED)]
    move(shift, -TEN_MINUTES)
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours"], "it may never have arrived before"
    assert kinds()[2:] == [("shift_reminder", State.SENT)]


def test_a_reminder_gives_way_once_its_correction_went_out(app: Flask, background: Background, line: FakeLine) -> None:
    line.script(FAIL_500)
    shift = make_shift(make_tutor(language="en"))
    remind()
    background.work()
    move(shift, TEN_MINUTES)
    background.work()
    move(shift, -TEN_MINUTES)
    all_that_follows(background)
    assert told(line) == ["Your shift has changed", "Your shift has changed"]
    assert kinds()[0] == ("shift_reminder", State.CANCELED)


def test_a_reminder_sent_again_by_hand_is_not_told_beside_the_one_that_took_its_place(
    app: Flask, background: Background, line: FakeLine
) -> None:
    line.script(BAD_REQUEST)
    shift = make_shift(make_tutor(language="en"))
    remind()
    background.work()
    there_and_back(shift)
    background.work()
    with writing() as tx:
        operations.retry(tx, OPERATOR, all_deliveries()[0].id, confirmed=True, seen_attempts=None)
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours"]
    assert [state for _, state in kinds()] == [State.CANCELED, State.CANCELED, State.SENT]
    assert versions_told() == [3]


def test_a_correction_repeats_itself_when_its_plan_holds_again(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    line.script(FAIL_500)
    move(shift, DAY)
    background.work()
    move(shift, HOUR)
    move(shift, -HOUR)
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours", "Your shift has changed"]
    corrections = [("shift_correction", State.SENT), ("shift_correction", State.CANCELED)]
    assert kinds() == [("shift_reminder", State.SENT), *corrections]
    assert versions_told() == [1, 2]


def test_a_correction_that_another_may_have_overtaken_is_made_afresh(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    line.script(FAIL_500, FAIL_500)
    move(shift, DAY)
    background.work()
    move(shift, HOUR)
    background.work()
    move(shift, -HOUR)
    all_that_follows(background)
    assert told(line) == ["Your shift starts in 2 hours", "Your shift has changed"]
    assert [state for _, state in kinds()[1:]] == [State.CANCELED, State.CANCELED, State.SENT]
    assert versions_told() == [1, 4]


def test_what_is_noted_of_a_repeated_message_is_the_place_and_no_name_that_nobody_was_told(
    app: Flask, background: Background, line: FakeLine
) -> None:
    line.script(ACCEPT_THEN_500)
    shift = make_shift(make_tutor(language="en"))
    remind()
    background.work()
    classroom = values_of(shift)[0].classroom_id
    change(Classroom, classroom, name="新宿")
    all_that_follows(background)
    change(Classroom, classroom, name="池袋")
    assert len(line.accepted) == 1
    assert "新宿".encode() not in line.accepted[0].body
    (noted,) = told_about([shift]).values()
    assert noted.classroom == "池袋", "what the place is called now"
