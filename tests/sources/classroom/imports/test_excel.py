"""Files as an office clerk saves them with Japanese Excel are understood as they are."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from flask_babel import force_locale

from app.faults import InvalidInput
from app.sources.classroom.imports.csv_file import ShiftFile, read_csv
from app.sources.classroom.models import ShiftStatus
from tests.sources.classroom.imports.excel import CSV, CSV_UTF8, FORMATS, JAPANESE_HEADINGS, UNICODE_TEXT, Format, saved

NOW = datetime(2026, 3, 20, 3, tzinfo=UTC)


def _read(rows: list[list[str]], as_: Format = CSV, headings: tuple[str, ...] = JAPANESE_HEADINGS) -> ShiftFile:
    return read_csv(saved([headings, *rows], as_), NOW)


def _line(
    id_: str = "S1", email: str = "hanako@example.jp", classroom: str = "渋谷", day: str = "2026/4/1",
    start: str = "17:00", end: str = "21:00", status: str = "確定", note: str = "",
) -> list[str]:  # fmt: skip
    return [id_, email, classroom, day, start, end, status, note]


def _faults(file: ShiftFile) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.field) for fault in file.faults]


def _refused(data: bytes) -> list[tuple[int | None, str, str]]:
    with pytest.raises(InvalidInput) as refused:
        read_csv(data, NOW)
    return [(fault.line, fault.field, fault.message) for fault in refused.value.faults]


@pytest.mark.parametrize("as_", FORMATS, ids=lambda one: one.name)
def test_what_excel_saves_is_understood_with_rare_characters_and_line_breaks_in_cells(
    sqlite_app: Flask, as_: Format
) -> None:
    note = "① 髙橋さん、山﨑さんと\n㈱ﾄﾄﾞｹ “鍵” を忘れずに, ～;"
    file = _read([_line(classroom="髙田馬場①", note=note), [""] * 8, _line("S2")], as_)
    assert file.faults == []
    first, second = file.rows
    assert (first.classroom, first.note, first.status) == ("髙田馬場①", note, ShiftStatus.CONFIRMED)
    assert first.starts_at == datetime(2026, 4, 1, 8, tzinfo=UTC)
    assert (first.line, second.line) == (2, 5)


@pytest.mark.parametrize(
    "heading",
    [
        "ＩＤ,講師ﾒｰﾙ, 教室 ,日付,開始,終了,状態,備考",
        "　ＥＸＴＥＲＮＡＬ＿ＩＤ　,Tutor_Email,CLASSROOM,Date,start,END,ｓｔａｔｕｓ,note",
        "id,tutor_email,教室,date,開始,end,状態,note,,,",
    ],
)
def test_headings_are_known_in_both_languages_whatever_their_width_and_case(sqlite_app: Flask, heading: str) -> None:
    file = read_csv(f"{heading}\n{','.join(_line(note='x'))}\n".encode("cp932"), NOW)
    assert (file.faults, file.rows[0].external_id, file.rows[0].note) == ([], "S1", "x")


@pytest.mark.parametrize(
    ("heading", "faults"),
    [
        ("ID,講師メール,教室,日付,開始,終了,状態,メモ", ["メモ"]),
        ("ID,講師メール,教室,日付,日付,終了,状態,備考", ["開始", "日付"]),
        ("ID,tutor_email,講師メール,教室,日付,開始,終了,状態,備考", ["tutor_email"]),
        ("external_id,date,start", ["tutor_email", "classroom", "end", "status"]),
        ("S1,hanako@example.jp,渋谷,2026/4/1,17:00,21:00,確定,", ["file"]),
    ],
)
def test_an_unknown_missing_or_repeated_heading_is_named_as_the_file_would_write_it(
    sqlite_app: Flask, heading: str, faults: list[str]
) -> None:
    refused = _refused(f"{heading}\nx\n".encode())
    assert [(line, field) for line, field, _ in refused] == [(1, field) for field in faults]


def test_faults_name_the_column_in_the_language_of_the_file(sqlite_app: Flask) -> None:
    bad = _line(email="", classroom="", day="あした", start="朝", end="晩", status="たぶん", note="x" * 501)
    assert [field for _, field in _faults(_read([bad]))] == [
        "講師メール", "教室", "状態", "備考", "日付", "開始", "終了",
    ]  # fmt: skip
    mixed = ("ID", "tutor_email", "教室", "date", "開始", "end", "状態", "note")
    assert [field for _, field in _faults(_read([bad], headings=mixed))] == [
        "tutor_email", "教室", "状態", "note", "date", "開始", "end",
    ]  # fmt: skip


def test_full_width_digits_and_signs_count_as_narrow_ones_but_names_and_notes_stay_as_written(
    sqlite_app: Flask,
) -> None:
    full = _line(
        "Ａ１", "Ｈａｎａｋｏ＠ｅｘａｍｐｌｅ．ｊｐ", "第１教室", "２０２６／４／１", "９：００",
        "２５：３０", "ＤＲＡＦＴ", "１０：００に鍵",
    )  # fmt: skip
    (row,) = _read([full]).rows
    assert (row.tutor_email, row.status) == ("hanako@example.jp", ShiftStatus.DRAFT)
    assert (row.external_id, row.classroom, row.note) == ("Ａ１", "第１教室", "１０：００に鍵")
    assert (row.starts_at, row.ends_at - row.starts_at) == (
        datetime(2026, 4, 1, 0, tzinfo=UTC), timedelta(hours=16, minutes=30),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("written", "status"),
    [("draft", "draft"), ("Confirmed", "confirmed"), ("下書き", "draft"), ("未確定", "draft"), ("仮", "draft"),
     ("確定", "confirmed"), (" 確定済み　", "confirmed")],
)  # fmt: skip
def test_a_status_may_be_written_in_both_languages(sqlite_app: Flask, written: str, status: str) -> None:
    assert _read([_line(status=written)]).rows[0].status == status


@pytest.mark.parametrize("written", ["確認済み", "予定", "", "ok"])
def test_a_status_that_may_mean_something_else_is_a_fault(sqlite_app: Flask, written: str) -> None:
    file = _read([_line(status=written)])
    assert _faults(file) == [(2, "状態")]
    assert "確定" in file.faults[0].message


def test_cells_that_excel_leaves_out_or_adds_at_the_end_of_a_line_mean_nothing(sqlite_app: Flask) -> None:
    short, long = _line()[:7], [*_line("S2", start="8:00", end="9:00"), "", "", ""]
    file = _read([short, long, _line("S3")[:5], [*_line("S4"), "", "メモ"]])
    assert [(row.line, row.note) for row in file.rows] == [(2, ""), (3, "")]
    assert _faults(file) == [(4, "状態"), (4, "終了"), (5, "file")]
    assert "メモ" in file.faults[-1].message


def test_a_column_without_a_heading_may_stand_anywhere_as_long_as_it_is_empty(sqlite_app: Flask) -> None:
    headings = ("ID", "", *JAPANESE_HEADINGS[1:])
    full = _line()
    file = _read([[full[0], "", *full[1:]], [full[0], "x", *full[1:]]], headings=headings)
    assert ([row.line for row in file.rows], _faults(file)) == ([2], [(3, "file")])


@pytest.mark.parametrize("note", ["'0123", "=SUM(A1:A2)", "+81", "@here", "-"])
def test_what_a_spreadsheet_takes_for_a_formula_is_kept_as_text(sqlite_app: Flask, note: str) -> None:
    assert _read([_line(note=note)]).rows[0].note == note


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_breaks_within_a_note_become_plain_ones(sqlite_app: Flask, ending: str) -> None:
    data = saved([JAPANESE_HEADINGS, _line(note="a\nb")], CSV).replace(b"\r\n", b"\n").replace(b"\n", ending.encode())
    assert read_csv(data, NOW).rows[0].note == "a\nb"


def test_days_without_a_year_are_near_the_day_of_reading(sqlite_app: Flask) -> None:
    data = saved([JAPANESE_HEADINGS, _line(day="1月5日")], CSV)
    with time_machine.travel(datetime(2026, 12, 28, tzinfo=UTC), tick=False):
        assert read_csv(data).rows[0].starts_at.year == 2027
        assert read_csv(data, NOW).rows[0].starts_at.year == 2026


def test_numbers_in_place_of_days_and_times_are_refused_with_the_way_to_format_them(sqlite_app: Flask) -> None:
    file = _read([_line(day="46113", start="0.375", end="0.5")])
    assert _faults(file) == [(2, "日付"), (2, "開始"), (2, "終了")]
    assert all("Excel" in fault.message for fault in file.faults)


def test_a_character_that_only_one_computer_knows_is_a_fault(sqlite_app: Flask) -> None:
    data = saved([JAPANESE_HEADINGS, _line(classroom="渋谷X", note="X")], CSV).replace(b"X", b"\xf0\x40")
    assert _faults(read_csv(data, NOW)) == [(2, "教室"), (2, "備考")]


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (saved([JAPANESE_HEADINGS, _line(), _line(note="X")], CSV).replace(b"X", b"\x81"), 3),
        (saved([JAPANESE_HEADINGS, _line(), _line(note="X")], CSV_UTF8).replace(b"X", b"\xff"), 3),
        (saved([JAPANESE_HEADINGS, _line()], Format("", "utf-8", ","))[:-4] + b"\xe3\x81", 2),
        (saved([JAPANESE_HEADINGS, _line()], UNICODE_TEXT)[:-5], 2),
        (saved([JAPANESE_HEADINGS, _line("あ")], Format("", "euc_jp", ",")), 1),
    ],
)
def test_what_cannot_be_decoded_is_a_fault_of_its_line(sqlite_app: Flask, data: bytes, at: int) -> None:
    ((where, field, message),) = _refused(data)
    assert (where, field) == (at, "file")
    assert "CSV UTF-8" in message


@pytest.mark.parametrize("start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
def test_a_workbook_is_refused_with_the_way_to_save_it(sqlite_app: Flask, start: bytes) -> None:
    ((where, field, message),) = _refused(start + b"\x14\x00\x06\x00" * 20)
    assert (where, field) == (None, "file")
    assert "workbook" in message


@pytest.mark.parametrize(
    ("cells", "field", "says"),
    [
        ({"day": "46356"}, "日付", "Format the cells in Excel as dates"),
        ({"start": "0.708333"}, "開始", "Format the cells in Excel as times"),
        ({"end": "46356.75"}, "終了", "Format the cells in Excel as times"),
    ],
)
def test_a_day_or_time_saved_as_a_number_is_not_guessed_and_how_to_save_it_is_told(
    sqlite_app: Flask, cells: dict[str, str], field: str, says: str
) -> None:
    with force_locale("en"):
        (fault,) = _read([_line(**cells)]).faults
    assert (fault.line, fault.field) == (2, field)
    assert says in fault.message
