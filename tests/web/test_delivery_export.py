"""Deliveries as a file for a spreadsheet."""

import csv

import pytest
from flask import Flask

from app.outbox.models import Delivery
from app.outbox.state import State
from app.web import delivery_export
from tests.factories import change
from tests.web.ledger import failed, standing_as
from tests.web.visitor import Visitor


def read(visitor: Visitor, query: str = "") -> list[list[str]]:
    """The rows of the file, its headings first."""
    answer = visitor.get(f"/deliveries.csv{query}")
    assert answer.status_code == 200
    text = answer.text
    assert text.startswith("\ufeff")
    return list(csv.reader(text.removeprefix("\ufeff").splitlines()))


def test_the_file_holds_all_that_the_filter_leaves_newest_first(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_export, "SLICE", 2)
    with pages_app.app_context():
        made = [failed() for _ in range(5)]
        standing_as(state=State.SENT)
    headings, *rows = read(admin, "?state=failed")
    assert headings[:3] == ["Number", "Made", "State"]
    assert [int(row[0]) for row in rows] == made[::-1]
    assert {row[2] for row in rows} == {"Failed"}
    assert len(rows[0]) == len(headings)


@pytest.mark.parametrize("name", ["=1+1", "+81", "-2", "@SUM(A1)", "\t=1", "＝1"])
def test_no_cell_is_a_formula(pages_app: Flask, admin: Visitor, name: str) -> None:
    with pages_app.app_context():
        change(Delivery, failed(), address_label=name)
    assert read(admin)[1][5] == f"'{name}"


def test_the_file_is_for_administrators_alone(staff: Visitor, member: Visitor) -> None:
    assert staff.get("/deliveries.csv").status_code == member.get("/deliveries.csv").status_code == 403


def test_a_filter_that_cannot_be_read_gives_no_file(admin: Visitor) -> None:
    answer = admin.get("/deliveries.csv?state=lost")
    assert answer.status_code == 422
    assert "There is no state called lost." in answer.text


@pytest.mark.parametrize("name", [";=1+1", "a;=1+1", 'a";=1+1', "a\t=1+1"])
def test_a_name_cannot_open_a_cell_of_its_own_where_spreadsheets_separate_by_other_signs(
    pages_app: Flask, admin: Visitor, name: str
) -> None:
    """Excel separates by the sign of the machine's region, and splits at one that stands in no quotes."""
    with pages_app.app_context():
        change(Delivery, failed(), address_label=name)
    line = admin.get("/deliveries.csv").text.splitlines()[1]
    assert '"{}"'.format(name.replace('"', '""')) in line
