"""Which shift a line speaks of: by its id, and without one by tutor, classroom and start."""

import pytest
from flask import Flask

from app.accounts.create import create_account
from app.sources.classroom.classrooms import create_classroom
from app.transaction import writing
from tests.sources.classroom.imports.files import bring_in, counts, line, stored_shifts

PEOPLE = ("hanako", "takeshi")


@pytest.fixture(autouse=True)
def _cast(app: Flask) -> None:
    with writing() as tx:
        create_classroom(tx, "渋谷")
        create_classroom(tx, "横浜")
        for name in PEOPLE:
            email = f"{name}@example.jp"
            create_account(tx, email=email, name=name, role="member", language="ja", password_hash=None)


def test_without_an_id_a_shift_is_known_by_tutor_classroom_and_start() -> None:
    bring_in(line(""))
    assert counts(bring_in(line("", end="22:00"))) == (0, 1, 0)
    assert counts(bring_in(line("", start="18:00"), line("", "takeshi"), line("", classroom="横浜"))) == (3, 0, 0)


def test_25_30_and_1_30_on_the_next_day_are_the_same_shift() -> None:
    bring_in(line("", start="25:30", end="27:00"))
    assert counts(bring_in(line("", day="2026-12-01", start="01:30", end="03:00"))) == (0, 0, 1)


def test_an_id_is_given_to_the_shift_that_was_imported_without_one() -> None:
    bring_in(line(""))
    assert counts(bring_in(line("S1"))) == (0, 1, 0)
    assert counts(bring_in(line("S1"))) == (0, 0, 1)
    assert [(shift.external_id, shift.version) for shift in stored_shifts()] == [("S1", 1)]
    assert counts(bring_in(line("S9"))) == (1, 0, 0)


def test_a_line_without_id_finds_the_shift_that_has_one_and_leaves_it_its_id() -> None:
    bring_in(line("S1"))
    assert counts(bring_in(line("", end="22:00"))) == (0, 1, 0)
    assert [(shift.external_id, shift.version) for shift in stored_shifts()] == [("S1", 2)]


def test_one_shift_may_move_away_and_another_take_its_place_in_one_file() -> None:
    bring_in(line("S1"))
    file = [line("S1", start="12:00", end="14:00"), line("")]
    assert counts(bring_in(*file)) == (1, 1, 0)
    assert counts(bring_in(*file)) == (0, 0, 2)


def test_two_ids_may_exchange_their_times() -> None:
    bring_in(line("S1"), line("S2", start="12:00", end="14:00"))
    assert counts(bring_in(line("S2"), line("S1", start="12:00", end="14:00"))) == (0, 2, 0)
