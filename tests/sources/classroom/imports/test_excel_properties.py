"""Whatever a table holds and however it was saved, it is understood, or refused in words."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.faults import InvalidInput
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.headings import COLUMNS, JAPANESE
from app.sources.classroom.imports.shift_rows import ShiftRow
from app.sources.classroom.models import ShiftStatus
from tests.sources.classroom.imports.excel import CSV, EVERY_FORMAT, JAPANESE_HEADINGS, UNICODE_TEXT, Format, saved

NOW = datetime(2026, 3, 20, 3, tzinfo=UTC)

ANY_CONTEXT = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
SIGNS = st.sampled_from([*"あア漢髙﨑①ｱ㈱～－Az09,;'\"=@!　 \t"])
NAMES = st.text(st.sampled_from([*"渋谷校髙﨑①ｱ,;'\"A1 "]), min_size=1, max_size=8).map(str.strip).filter(bool)
NOTES = st.text(st.one_of(SIGNS, st.just("\n")), max_size=30).map(str.strip)
DAYS = st.dates(date(2026, 1, 1), date(2026, 8, 31))
WAYS = st.sampled_from(
    [
        "{0:%Y-%m-%d}",
        "{0:%Y}/{0.month}/{0.day}",
        "{0:%Y}年{0.month}月{0.day}日",
        "{0.month}/{0.day}",
        "{0.month}月{0.day}日",
    ]
)
FULL_WIDTH = str.maketrans("0123456789:/-", "０１２３４５６７８９：／－")


@st.composite
def rows(draw: st.DrawFn) -> tuple[dict[str, str], ShiftRow]:
    """One line as somebody may write it, and what it means."""
    day, begins, lasts = draw(DAYS), draw(st.integers(0, 30 * 60)), draw(st.integers(1, 17 * 60))
    starts_at = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(hours=-9, minutes=begins)
    ends = begins + lasts
    time = draw(st.sampled_from(["{0}:{1:02}", "{0:02}:{1:02}", "{0}:{1:02}:00", "{0}時{1}分"]))
    cells = {
        "date": draw(WAYS).format(day),
        "start": time.format(begins // 60, begins % 60),
        "end": time.format(ends // 60, ends % 60),
    }
    if draw(st.booleans()):
        cells = {name: cell.translate(FULL_WIDTH) for name, cell in cells.items()}
    external_id, classroom, note = draw(st.one_of(st.just(""), NAMES)), draw(NAMES), draw(NOTES)
    status = draw(st.sampled_from(["確定", "下書き", "CONFIRMED", "draft"]))
    cells |= {
        "external_id": external_id,
        "tutor_email": "Ａ@b.jp",
        "classroom": classroom,
        "status": status,
        "note": note,
    }
    told = ShiftStatus.CONFIRMED if status in ("確定", "CONFIRMED") else ShiftStatus.DRAFT
    ends_at = starts_at + timedelta(minutes=lasts)
    return cells, ShiftRow(0, external_id or None, "a@b.jp", classroom, starts_at, ends_at, told, note)


@ANY_CONTEXT
@given(
    lines=st.lists(rows(), max_size=4), as_=st.sampled_from(EVERY_FORMAT), order=st.permutations(COLUMNS),
    english=st.sets(st.sampled_from(["external_id", "start", "end", "status", "note"])),
)  # fmt: skip
def test_any_table_of_valid_lines_means_the_same_in_every_encoding_and_with_every_delimiter(
    sqlite_app: Flask, lines: list[tuple[dict[str, str], ShiftRow]], as_: Format, order: list[str], english: set[str]
) -> None:
    headings = [column if column in english else JAPANESE[column] for column in order]
    file = read_csv(saved([headings, *([cells[column] for column in order] for cells, _ in lines)], as_), NOW)
    assert file.faults == []
    meant = [(row.external_id, row.classroom, row.starts_at, row.ends_at, row.status, row.note) for _, row in lines]
    read = [(row.external_id, row.classroom, row.starts_at, row.ends_at, row.status, row.note) for row in file.rows]
    assert read == meant


@ANY_CONTEXT
@given(
    mark=st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]),
    start=st.sampled_from([b"", saved([JAPANESE_HEADINGS], CSV), saved([JAPANESE_HEADINGS], UNICODE_TEXT)]),
    data=st.binary(max_size=300),
)
def test_no_bytes_behind_any_mark_or_heading_make_it_break(
    sqlite_app: Flask, mark: bytes, start: bytes, data: bytes
) -> None:
    with suppress(InvalidInput):
        read_csv(mark + start + data, NOW)
