"""Promise: whoever was told something that no longer holds is told so, once, with old and new side by side."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask

from app.clock import now
from app.outbox.state import State
from app.reach.models import LineLink
from app.sources.classroom.models import Shift, ShiftStatus, ShiftTold
from app.sources.classroom.shifts.edit import delete_shifts, set_status
from app.sources.classroom.shifts.versions import keep_versions
from app.sources.classroom.telling.tell import remind
from app.transaction import writing
from tests.factories import all_deliveries, change, make_shift, make_tutor
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, FAIL_500
from tests.fixtures.background import Background, later
from tests.stories.shifts import DAY, HOUR, edit, heading, kinds, move, reminded, told, values_of

pytestmark = pytest.mark.usefixtures("everywhere")


def test_moved_earlier_or_later_within_the_window_is_corrected_instead_of_reminded(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    move(shift, timedelta(minutes=10))
    background.work()
    move(shift, timedelta(minutes=-40))
    background.work()
    with later(minutes=15):
        remind()
        background.run()
    assert told(line) == ["Your shift starts in 2 hours", "Your shift has changed", "Your shift has changed"]


def test_a_correction_says_old_and_new_side_by_side(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor(language="en"))
    old, _ = values_of(shift)
    move(shift, DAY)
    background.work()
    new, _ = values_of(shift)
    alt_text = line.accepted[-1].messages[0]["altText"]
    for values in (old, new):
        assert values.starts_at.astimezone(app.config["SETTINGS"].zone).strftime("%H:%M") in alt_text
    assert " → " in alt_text


def test_there_and_back_before_the_correction_went_out_tells_nothing(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor())
    move(shift, HOUR)
    move(shift, -HOUR)
    background.work()
    remind()
    background.run()
    assert len(line.accepted) == 1
    assert kinds() == [("shift_reminder", State.SENT), ("shift_correction", State.CANCELED)]


def test_moved_out_of_the_window_is_corrected_at_once_and_reminded_of_when_the_new_window_comes(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    move(shift, DAY)
    background.work()
    assert told(line)[-1] == "Your shift has changed"
    with later(hours=23, minutes=59):
        remind()
        background.run()
    assert told(line)[1:] == ["Your shift has changed", "Your shift starts in 2 hours"]


def test_a_swapped_tutor_is_told_it_is_off_and_the_new_one_is_reminded_not_corrected(
    app: Flask, background: Background, line: FakeLine
) -> None:
    old, new = make_tutor(language="en"), make_tutor(language="en")
    shift = reminded(background, old)
    edit(shift, tutor_id=new)
    background.work()
    by_account = {message.to: heading(message) for message in line.accepted}
    assert sorted(by_account.values()) == ["Your shift is off", "Your shift starts in 2 hours"]
    assert len(line.accepted) == 3


def test_unconfirmed_and_confirmed_again_before_anything_went_out_tells_nothing(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor())
    with writing() as tx:
        set_status(tx, [shift], ShiftStatus.DRAFT)
    with writing() as tx:
        set_status(tx, [shift], ShiftStatus.CONFIRMED)
    background.work()
    remind()
    background.run()
    assert len(line.accepted) == 1


def test_off_and_on_again_is_told_both_times(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor(language="en"))
    for status in (ShiftStatus.DRAFT, ShiftStatus.CONFIRMED):
        with writing() as tx:
            set_status(tx, [shift], status)
        background.work()
    assert told(line)[1:] == ["Your shift is off", "Your shift is on again"]


def test_deleted_after_the_reminder_is_called_off(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor(language="en"))
    with writing() as tx:
        assert delete_shifts(tx, [shift]) == 1
    background.work()
    assert told(line)[-1] == "Your shift is off"


def test_off_that_may_not_have_arrived_repeats_itself_also_when_the_shift_is_edited_once_more(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    line.script(FAIL_500)
    with writing() as tx:
        set_status(tx, [shift], ShiftStatus.DRAFT)
    background.work()
    with writing() as tx:
        delete_shifts(tx, [shift])
    with later(minutes=5):
        background.run()
    assert told(line) == ["Your shift starts in 2 hours", "Your shift is off"]
    assert kinds()[1:] == [("shift_correction", State.SENT)]


def test_the_old_side_is_what_was_certainly_told(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor(language="en"))
    first, _ = values_of(shift)
    line.script(FAIL_500)
    move(shift, DAY)
    background.work()
    move(shift, HOUR)
    background.work()
    zone = app.config["SETTINGS"].zone
    before = line.accepted[-1].messages[0]["altText"].split(" → ")[0]
    assert first.starts_at.astimezone(zone).strftime("%-d %b, %H:%M") in before


def test_what_nobody_was_told_of_needs_no_correction(app: Flask, background: Background, line: FakeLine) -> None:
    shift = make_shift(make_tutor(), starts_in=DAY)
    move(shift, HOUR)
    with writing() as tx:
        delete_shifts(tx, [shift])
    remind()
    background.run()
    assert all_deliveries() == []


def test_edited_twice_in_a_row_only_the_last_is_told(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor())
    move(shift, HOUR)
    move(shift, HOUR)
    background.work()
    assert len(line.accepted) == 2
    assert kinds()[1:] == [("shift_correction", State.CANCELED), ("shift_correction", State.SENT)]


def test_a_note_alone_tells_nobody_anything(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor())
    edit(shift, note="鍵を忘れずに")
    assert values_of(shift)[1] == 1
    remind()
    background.run()
    assert len(line.accepted) == 1


def test_a_reminder_that_may_have_arrived_is_corrected_too(app: Flask, background: Background, line: FakeLine) -> None:
    line.script(ACCEPT_THEN_500)
    shift = reminded(background, make_tutor(language="en"))
    move(shift, timedelta(minutes=10))
    background.work()
    with later(minutes=5):
        background.run()
    assert told(line) == ["Your shift starts in 2 hours", "Your shift has changed"]
    assert kinds() == [("shift_reminder", State.CANCELED), ("shift_correction", State.SENT)]


def test_a_correction_that_failed_ambiguously_repeats_itself(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor())
    move(shift, HOUR)
    line.script(FAIL_500)
    background.work()
    with later(minutes=5):
        background.run()
    assert kinds()[1:] == [("shift_correction", State.SENT)]
    assert len(line.accepted) == 2


def test_a_change_after_the_start_is_no_longer_told(app: Flask, background: Background, line: FakeLine) -> None:
    shift = reminded(background, make_tutor())
    with later(hours=2, minutes=1):
        with writing() as tx:
            delete_shifts(tx, [shift])
        remind()
        background.run()
    assert len(line.accepted) == 1


def test_line_off_and_on_again_before_the_shift_the_reminder_comes_after_all(
    app: Flask, background: Background, line: FakeLine
) -> None:
    make_shift(make_tutor())
    remind()
    link = all_deliveries()[0].address_id
    change(LineLink, link, enabled=False)
    background.work()
    assert kinds() == [("shift_reminder", State.CANCELED)]
    change(LineLink, link, enabled=True)
    with later(minutes=15):
        remind()
        background.run()
    assert kinds() == [("shift_reminder", State.SENT)]
    assert len(line.accepted) == 1


def test_a_reminder_made_while_the_one_before_was_being_sent_gives_way_to_a_correction(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = make_shift(make_tutor(language="en"))
    remind()
    move(shift, timedelta(minutes=10))
    with writing() as tx:
        tx.session.add(_told_of_version_1(shift))
    background.work()
    assert line.accepted == [], "the first was changed, and the second may no longer be a plain reminder"
    remind()
    background.run()
    assert told(line) == ["Your shift has changed"]


def _told_of_version_1(shift: int) -> ShiftTold:
    values, _ = values_of(shift)
    return ShiftTold(
        shift_id=shift, account_id=values.tutor_id, kind="shift_reminder", version=1, classroom_id=values.classroom_id,
        starts_at=values.starts_at, ends_at=values.ends_at, at=now(),
    )  # fmt: skip


def test_the_scan_is_the_net_for_a_change_that_came_while_the_reminder_was_being_sent(
    app: Flask, background: Background, line: FakeLine
) -> None:
    shift = reminded(background, make_tutor(language="en"))
    # As if the verb had run before the reminder's answer was recorded: a version, and nothing owed for it.
    change(Shift, shift, version=2, ends_at=now() + 6 * HOUR)
    with writing() as tx:
        keep_versions(tx, [shift])
    remind()
    background.run()
    assert told(line)[-1] == "Your shift has changed"


def test_an_overnight_shift_at_the_end_of_the_month_keeps_its_day_and_says_how_it_ends(
    app: Flask, background: Background, line: FakeLine
) -> None:
    # 20:00 in Tokyo on the last day of November; the shift is from 22:00 to 1:00.
    with time_machine.travel(datetime(2026, 11, 30, 11, 0, tzinfo=UTC), tick=True):
        shift = reminded(background, make_tutor(language="en"), starts_in=2 * HOUR)
        move(shift, timedelta(minutes=90))
        background.work()
    before, after = (str(message.messages[0]["altText"]) for message in line.accepted)
    assert "Mon 30 Nov, 22:00–01:00 (next day)" in before
    assert "Mon 30 Nov, 22:00–01:00 (next day)" in after
    assert "Mon 30 Nov, 23:30–02:30 (next day)" in after
