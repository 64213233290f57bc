"""Promise: what may have reached somebody once is never forgotten, whatever key an operator sends it again with."""

from datetime import timedelta

import pytest
from flask import Flask

from app.audit import Actor
from app.operations import deliveries as operations
from app.outbox.state import State
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import all_deliveries, make_shift, make_tutor
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, BAD_REQUEST, FAIL_500
from tests.fixtures.background import Background, later
from tests.stories.shifts import DAY, kinds, move, reminded, told

pytestmark = pytest.mark.usefixtures("everywhere")

OPERATOR = Actor(None, "operator")


def test_a_reminder_that_may_have_arrived_is_corrected_also_when_its_key_was_rotated(
    app: Flask, background: Background, line: FakeLine
) -> None:
    line.script(ACCEPT_THEN_500)
    shift = make_shift(make_tutor(language="en"))
    remind()
    background.work()
    with writing() as tx:
        operations.rotate_key(tx, OPERATOR, all_deliveries()[0].id, confirmed=True, seen_attempts=None)
    move(shift, timedelta(minutes=10))
    background.work()
    assert told(line) == ["Your shift starts in 2 hours", "Your shift has changed"]
    assert kinds() == [("shift_reminder", State.CANCELED), ("shift_correction", State.SENT)]


def test_a_correction_that_may_have_arrived_is_corrected_also_when_a_new_key_was_refused_a_day_later(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    move(shift, 5 * DAY)
    background.work()
    line.script(FAIL_500)
    move(shift, DAY)
    background.work()
    with later(hours=24, minutes=1):
        background.run()
        assert kinds()[-1] == ("shift_correction", State.FAILED)
        line.script(BAD_REQUEST)
        with writing() as tx:
            operations.retry(tx, OPERATOR, all_deliveries()[-1].id, confirmed=True, seen_attempts=None)
        background.work()
        move(shift, -DAY)
        background.work()
    assert told(line)[2:] == ["Your shift has changed"], "five days later again, after all"
    assert len(line.requests) == 5
