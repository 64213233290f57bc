"""Bytes to rows, and every fault with its line, its column and what is expected."""

import csv
import io
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.faults import Fault, InvalidInput
from app.sources.classroom.imports.csv_file import MOST_ROWS, ShiftFile, read_csv
from app.sources.classroom.imports.headings import COLUMNS
from app.sources.classroom.imports.shift_rows import ShiftRow
from app.sources.classroom.models import ShiftStatus
from tests.sources.classroom.imports.files import HEADER, table

GOOD = "S1,hanako@example.jp,渋谷教室,2026-11-30,17:00,21:00,confirmed,数学"


def _refused(data: bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(InvalidInput) as refused:
        read_csv(data)
    return _places(refused.value.faults)


def _places(faults: object) -> list[tuple[int | None, str]]:
    assert isinstance(faults, list | tuple)
    return [(fault.line, fault.field) for fault in faults if isinstance(fault, Fault)]


def test_a_line_becomes_a_row_with_instants_in_utc(sqlite_app: Flask) -> None:
    assert read_csv(table(GOOD)) == ShiftFile(
        rows=[
            ShiftRow(
                2, "S1", "hanako@example.jp", "渋谷教室", datetime(2026, 11, 30, 8, tzinfo=UTC),
                datetime(2026, 11, 30, 12, tzinfo=UTC), ShiftStatus.CONFIRMED, "数学",
            )
        ],
        named=read_csv(table(GOOD)).named,
        faults=[],
        headings={column: column for column in COLUMNS},
    )  # fmt: skip


def test_columns_may_stand_in_any_order_and_two_may_be_missing(sqlite_app: Flask) -> None:
    header = "status,end,start,date,classroom,tutor_email"
    row, = read_csv(table("draft,21:00,17:00,2026-11-30,渋谷,a@b.jp", header=header)).rows  # fmt: skip
    assert (row.external_id, row.note, row.status) == (None, None, ShiftStatus.DRAFT)


@pytest.mark.parametrize("spelled", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_byte_order_mark_and_any_line_ending_are_fine(sqlite_app: Flask, spelled: str, ending: str) -> None:
    file = read_csv(f"{HEADER}\n{GOOD}\n\n{GOOD}".replace("\n", ending).encode(spelled))
    assert [row.line for row in file.rows] == [2, 4]


def test_spaces_around_cells_quotes_and_empty_lines_do_no_harm(sqlite_app: Flask) -> None:
    quoted = '"S1" , Hanako@Example.JP,"渋谷, 2階",2026-11-30,17:00,21:00,confirmed,"said ""yes""\nand came",,'
    file = read_csv(table("", quoted.replace('" ,', '",'), ",,,,,,,", GOOD, header=HEADER + ",,"))
    first, second = file.rows
    assert (first.line, first.tutor_email, first.classroom) == (3, "hanako@example.jp", "渋谷, 2階")
    assert first.note == 'said "yes"\nand came'
    assert second.line == 6


def test_every_faulty_line_is_listed_with_each_of_its_faults(sqlite_app: Flask) -> None:
    file = read_csv(
        table(
            GOOD,
            "S2,,渋谷,2026-11-31,17:00,21:00,confirmed,",
            "S3,a@b.jp,,2026-11-30,5pm,17:00,maybe,",
            "S4,a@b.jp,渋谷,2026-11-30",
            "S5,a@b.jp,渋谷,2026-11-30,17:00,21:00,confirmed,,too,many",
            f"{'x' * 101},a@b.jp,{'y' * 101},2026-11-30,17:00,16:00,confirmed,{'z' * 501}",
        )
    )
    assert [row.line for row in file.rows] == [2]
    assert _places(file.faults) == [
        (3, "tutor_email"), (3, "date"), (4, "classroom"), (4, "status"), (4, "start"), (5, "status"), (5, "start"),
        (5, "end"), (6, "file"), (7, "external_id"), (7, "classroom"), (7, "note"), (7, "end"),
    ]  # fmt: skip
    assert all(fault.message for fault in file.faults)


def test_a_header_must_hold_the_known_columns_once_each(sqlite_app: Flask) -> None:
    header = "external_id,tutor_email,tutor_email,room,start,end,status"
    assert _refused(table(GOOD, header=header)) == [
        (1, "room"), (1, "classroom"), (1, "date"), (1, "tutor_email"),
    ]  # fmt: skip


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n\n", b",,,\n"])
def test_an_empty_file_is_refused(sqlite_app: Flask, data: bytes) -> None:
    assert _refused(data) == [(None, "file")]


def test_a_file_over_5_mb_or_20_000_lines_is_refused(sqlite_app: Flask) -> None:
    assert _refused(table(GOOD) + b" " * 5 * 1024 * 1024) == [(None, "file")]
    assert _refused(table(*[GOOD] * (MOST_ROWS + 1))) == [(None, "file")]


def test_a_torn_quotation_is_a_fault_and_the_lines_before_it_are_still_checked(sqlite_app: Flask) -> None:
    file = read_csv(table("S1,,渋谷,2026-11-30,17:00,21:00,confirmed,", 'S2,"a@b.jp,渋谷', GOOD))
    assert _places(file.faults) == [(2, "tutor_email"), (3, "file")]


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x85", "\u2028"])
def test_control_characters_are_refused_in_every_name(sqlite_app: Flask, character: str) -> None:
    ill = f"S{character}1,a{character}@b.jp,渋{character}谷,2026-11-30,17:00,21:00,confirmed,"
    file = read_csv(table(ill))
    assert _places(file.faults) == [(2, "external_id"), (2, "tutor_email"), (2, "classroom")]
    assert (file.named[0].tutor_email, file.named[0].classroom) == ("", "")


def test_a_nul_in_a_note_is_refused_and_a_formula_is_only_text(sqlite_app: Flask) -> None:
    start = "S1,a@b.jp,=1+1,2026-11-30,17:00,21:00,confirmed"
    file = read_csv(table(f"{start},a\0b", f"{start},=cmd|'/c calc'!A1"))
    assert _places(file.faults) == [(2, "note")]
    assert file.rows[0].note == "=cmd|'/c calc'!A1"


CELLS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["S1", "a@b.jp", "渋谷", "2026-11-30", "17:00", "25:30", "02:00", "confirmed", "draft", "=1+1"]),
)
ANY_CONTEXT = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)


@ANY_CONTEXT
@given(data=st.one_of(st.binary(max_size=400), st.text(max_size=200).map(str.encode)))
def test_no_bytes_make_it_break(sqlite_app: Flask, data: bytes) -> None:
    with suppress(InvalidInput):
        read_csv(data)


@ANY_CONTEXT
@given(rows=st.lists(st.lists(CELLS, min_size=6, max_size=9), max_size=6))
def test_every_line_that_says_something_is_either_a_row_or_a_fault(sqlite_app: Flask, rows: list[list[str]]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written).writerows([list(COLUMNS), *rows])
    file = read_csv(written.getvalue().encode())
    good, bad = {row.line for row in file.rows}, {fault.line for fault in file.faults}
    assert not good & bad
    assert len(good | bad) == sum(any(cell.strip() for cell in row) for row in rows)


def test_a_file_of_something_else_is_refused_shortly() -> None:
    with pytest.raises(InvalidInput) as refused:
        read_csv(b"external_id," + b",".join(b"c%d" % number for number in range(50_000)))
    assert len(refused.value.faults) < 40
