"""What a shift table says."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from app.sources.classroom.publication.table.edition import DayKind
from app.sources.classroom.publication.table.layout import Entry, NoShifts, TableShift, shift_table
from tests.sources.classroom.table.tables import TOKYO, edition, shift


def test_each_day_of_the_month_has_a_column_with_its_day_of_the_week() -> None:
    days = shift_table(edition(), [shift()]).days
    assert [day.number for day in days] == [str(number) for number in range(1, 32)]
    assert [day.weekday for day in days[:7]] == ["Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mon"]
    assert [day.kind for day in days[3:7]] == [DayKind.WEEKDAY, DayKind.SATURDAY, DayKind.SUNDAY, DayKind.WEEKDAY]


@pytest.mark.parametrize(("year", "month", "length"), [(2027, 2, 28), (2028, 2, 29), (2027, 4, 30), (2027, 1, 31)])
def test_a_month_is_as_long_as_it_is(year: int, month: int, length: int) -> None:
    start = datetime(year, month, 1, 9, tzinfo=TOKYO)
    own = TableShift(1, "髙橋 花子", "渋谷教室", start, start + timedelta(hours=1))
    table = shift_table(edition(year, month), [own])
    assert len(table.days) == len(table.rows[0].cells) == length


def test_tutors_stand_in_the_order_of_their_names_and_two_of_one_name_stay_two() -> None:
    shifts = [
        shift(1, tutor="佐藤 健", tutor_id=3),
        shift(2, tutor="Alice", tutor_id=2),
        shift(3, tutor="佐藤 健", tutor_id=1),
    ]
    rows = shift_table(edition(), shifts).rows
    assert [row.tutor for row in rows] == ["Alice", "佐藤 健", "佐藤 健"]
    assert [[day for day, cell in enumerate(row.cells, 1) if cell] for row in rows] == [[2], [3], [1]]


def test_several_shifts_of_a_day_stand_in_one_cell_the_earliest_first() -> None:
    row = shift_table(edition(), [shift(4, 17, 21.5), shift(4, 9, 12)]).rows[0]
    assert row.cells[3] == [Entry("09:00", "12:00", None), Entry("17:00", "21:30", None)]


def test_an_overnight_shift_stands_on_the_day_it_begins_with_an_end_past_24() -> None:
    table = shift_table(edition(), [shift(31, 22, 25.5)])
    assert table.rows[0].cells[30] == [Entry("22:00", "25:30", None)]
    assert table.note == "25:30 is 1:30 on the next day."


def test_an_end_at_midnight_is_24_and_needs_no_note() -> None:
    table = shift_table(edition(), [shift(5, 20, 24)])
    assert table.rows[0].cells[4] == [Entry("20:00", "24:00", None)]
    assert table.note == ""


def test_the_day_is_that_of_the_zone() -> None:
    own = TableShift(1, "A", "B", datetime(2026, 11, 30, 15, 30, tzinfo=UTC), datetime(2026, 11, 30, 18, tzinfo=UTC))
    assert shift_table(edition(), [own]).rows[0].cells[0] == [Entry("00:30", "03:00", None)]
    with pytest.raises(ValueError, match="2026-11-30"):
        shift_table(edition(zone=ZoneInfo("America/New_York")), [own])


def test_when_the_clocks_go_back_the_times_are_the_clocks_and_the_hours_are_real() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    start, end = datetime(2026, 10, 24, 22, tzinfo=berlin), datetime(2026, 10, 25, 6, tzinfo=berlin)
    own = TableShift(1, "A", "B", start.astimezone(UTC), end.astimezone(UTC))
    row = shift_table(edition(2026, 10, zone=berlin), [own]).rows[0]
    assert row.cells[23] == [Entry("22:00", "30:00", None)]
    assert row.hours == "9 h"


def test_a_month_without_shifts_is_no_table() -> None:
    with pytest.raises(NoShifts):
        shift_table(edition(), [])


def test_the_table_of_one_classroom_names_it_once_in_the_title() -> None:
    table = shift_table(edition(), [shift()])
    assert table.title == "Shifts, December 2026 – 渋谷教室"
    assert table.rows[0].classroom is None
    assert table.rows[0].cells[0][0].classroom is None


def test_the_table_of_all_names_the_classroom_of_a_tutor_beside_the_name_or_in_the_cells() -> None:
    shifts = [
        shift(1, tutor="A", tutor_id=1, classroom="渋谷教室"),
        shift(1, tutor="B", tutor_id=2, classroom="渋谷教室"),
        shift(2, tutor="B", tutor_id=2, classroom="新宿教室"),
    ]
    one, several = shift_table(edition(classroom=None), shifts).rows
    assert (one.classroom, one.cells[0][0].classroom) == ("渋谷教室", None)
    assert (several.classroom, several.cells[0][0].classroom, several.cells[1][0].classroom) == (None, "渋谷", "新宿")


@pytest.mark.parametrize("other", ["Annex", "教室"])
def test_a_classroom_is_named_in_full_where_not_every_name_can_be_short(other: str) -> None:
    table = shift_table(edition(classroom=None), [shift(1), shift(2, classroom=other)])
    assert table.rows[0].cells[0][0].classroom == "渋谷教室"
    assert table.rows[0].cells[1][0].classroom == other


def test_each_tutor_has_the_number_of_shifts_and_their_hours() -> None:
    row = shift_table(edition(), [shift(1), shift(2), shift(3, 22, 26)]).rows[0]
    assert (row.count, row.hours) == ("3 shifts", "13 h")
    row = shift_table(edition(), [shift(1)]).rows[0]
    assert (row.count, row.hours) == ("1 shift", "4 h 30 min")


def test_the_footer_tells_the_revision_and_when_it_was_drawn() -> None:
    assert shift_table(edition(), [shift()]).footer == "Revision 2, drawn Mon 30 Nov 2026, 17:05"


def test_japanese_says_the_same(sqlite_app: Flask) -> None:
    table = shift_table(edition(language="ja"), [shift(1, 22, 26.5)])
    assert table.title == "12月のシフト表 渋谷教室"
    assert [day.weekday for day in table.days[:7]] == list("火水木金土日月")
    assert (table.tutor, table.total) == ("担当", "合計")
    assert (table.rows[0].count, table.rows[0].hours) == ("1回", "4時間30分")
    assert table.note == "25:30は翌日の1:30です。"
    assert table.footer == "第2版　2026年11月30日(月) 17:05 作成"
    assert shift_table(edition(language="ja", classroom=None), [shift()]).title == "12月のシフト表 全教室"


@given(
    st.lists(
        st.tuples(st.integers(1, 31), st.integers(0, 47), st.integers(1, 48), st.sampled_from(["A", "B", "C"])),
        min_size=1,
        max_size=30,
    )
)
def test_every_shift_stands_in_the_table_exactly_once(drawn: list[tuple[int, int, int, str]]) -> None:
    shifts = [
        shift(day, start / 2, (start + length) / 2, tutor=tutor, tutor_id=ord(tutor))
        for day, start, length, tutor in drawn
    ]
    table = shift_table(edition(), shifts)
    shown = [
        (row.tutor, day, entry.start) for row in table.rows for day, cell in enumerate(row.cells, 1) for entry in cell
    ]
    assert Counter(shown) == Counter(
        (tutor, day, f"{start // 2:02}:{start % 2 * 30:02}") for day, start, _length, tutor in drawn
    )
