"""Drawing and sending a month's table: its number, its groups, its readers."""

from datetime import date
from threading import Barrier, Thread
from typing import Any

import pytest
from flask import Flask

from app import audit
from app.audit import Actor
from app.extensions import db
from app.faults import InvalidInput
from app.operations import groups
from app.sources.classroom.classroom_settings import add_classroom, change_classroom, classrooms
from app.sources.classroom.models import Classroom, Publication, PublicationImage
from app.sources.classroom.publication import month_table
from app.sources.classroom.publication import send as send_table
from app.sources.classroom.publication.month_table import Wanted, confirmed_shifts, draw_month
from app.sources.classroom.publication.publish import NoGroupError
from app.sources.classroom.publication.published import (
    by_document,
    get_publication,
    image_of,
    publications,
    revisions_of,
)
from app.sources.classroom.publication.receivers import language_of, receivers
from app.sources.classroom.publication.send import SentTable, send_drawn, send_picture
from app.sources.classroom.publication.table.layout import NoShifts
from app.sources.classroom.seen import ChangedMeanwhile
from app.tokens import request_id
from app.transaction import writing
from tests.factories import all_deliveries, change, make_classroom, make_tutor
from tests.web.classroom import GROUP_ID, TOKYO, give_group, next_month, shift_on

ADMIN = Actor(None, "青木 葵")


@pytest.fixture
def room(app: Flask) -> int:
    """A classroom with a group, and a confirmed shift next month."""
    made = make_classroom()
    give_group(made)
    shift_on(next_month(), make_tutor(name="髙橋 花子"), classroom_id=made)
    return made


def wanted(room: int | None, month: date | None = None) -> Wanted:
    return Wanted(month or next_month(), room, "ja", TOKYO)


def send(room: int | None, **how: Any) -> SentTable:
    return send_drawn(ADMIN, wanted(room), **{"request_id": request_id(), "default_group": None, "font": None} | how)


def revisions() -> list[int]:
    db.session.rollback()
    return sorted(one.revision for one in db.session.query(Publication))


def test_a_table_shows_the_confirmed_shifts_that_begin_in_the_month_here(room: int) -> None:
    shift_on(next_month(), make_tutor(), "00:00", "01:00", classroom_id=room)
    shift_on(next_month(), make_tutor(), classroom_id=room, status="draft")
    shift_on(next_month(), make_tutor())
    assert confirmed_shifts(wanted(room)) == 2
    assert confirmed_shifts(wanted(None)) == 3
    with pytest.raises(NoShifts):
        draw_month(wanted(room, date(2020, 1, 1)), None)


def test_nothing_waits_for_the_drawing(room: int) -> None:
    draw_month(wanted(room), None)
    assert not db.session().in_transaction()


def test_the_same_form_sends_once_and_is_written_down_once(room: int) -> None:
    first, second = send(room, request_id="the form's own"), send(room, request_id="the form's own")
    assert (first.id, revisions(), len(all_deliveries())) == (second.id, [1], 1)
    assert [entry.act for entry in audit.entries("publication", first.id)] == ["publish"]


def test_the_number_on_the_picture_is_that_of_the_revision(
    app: Flask, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    together, drawn, draw = Barrier(2), [], month_table.draw_month

    def at_the_same_time(*of: Any) -> Any:
        made = draw(*of)
        drawn.append(made.revision)
        if len(drawn) <= 2:
            together.wait(10)
        return made

    monkeypatch.setattr(send_table, "draw_month", at_the_same_time)

    def press() -> None:
        with app.app_context():
            send(room)

    both = [Thread(target=press) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert (sorted(drawn), revisions()) == ([1, 1, 2], [1, 2])


def test_a_shift_that_comes_while_the_table_is_drawn_stands_on_it(
    app: Flask, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, draw = list[int](), month_table.draw_month

    def while_somebody_plans(*of: Any) -> Any:
        made = draw(*of)
        if not drawn:
            shift_on(next_month(), make_tutor(name="鈴木"), classroom_id=room)
        drawn.append(len(made.shifts))
        return made

    monkeypatch.setattr(send_table, "draw_month", while_somebody_plans)
    send(room)
    assert (drawn, revisions()) == ([1, 2], [1])


def test_a_table_that_is_not_the_one_that_was_seen_is_not_sent(room: int) -> None:
    seen = draw_month(wanted(room), None).digest
    shift_on(next_month(), make_tutor(name="鈴木"), classroom_id=room)
    with pytest.raises(ChangedMeanwhile):
        send(room, seen=seen)
    assert (revisions(), all_deliveries()) == ([], [])
    send(room, seen=draw_month(wanted(room), None).digest)
    assert revisions() == [1]


def test_another_revision_of_the_same_shifts_is_the_same_table(room: int) -> None:
    seen = draw_month(wanted(room), None).digest
    send(room)
    send(room, seen=seen)
    assert revisions() == [1, 2]


def test_without_a_group_nothing_is_stored(app: Flask) -> None:
    room = make_classroom()
    shift_on(next_month(), make_tutor(), classroom_id=room)
    with pytest.raises(NoGroupError):
        send(room)
    assert (revisions(), all_deliveries()) == ([], [])


def test_what_the_page_says_of_the_receivers_is_what_happens(app: Flask, room: int) -> None:
    other, bare = make_classroom(), make_classroom()
    give_group(other, "C" + "1" * 32, "横浜グループ")
    shift_on(next_month(), make_tutor(), classroom_id=bare)
    default = "C" + "2" * 32
    for which, given, names in (
        (room, None, ["渋谷グループ"]),
        (room, default, ["渋谷グループ"]),
        (None, None, ["渋谷グループ", "横浜グループ"]),
        (bare, None, []),
        (bare, default, ["LINE_GROUP_ID"]),
        (None, default, ["LINE_GROUP_ID"]),
    ):
        assert [one.name for one in receivers(which, given)] == names
        if names:
            before = len(all_deliveries())
            send(which, default_group=given)
            assert [one.address_label for one in all_deliveries()[before:]] == names


def test_the_picture_speaks_the_language_of_its_groups(app: Flask, room: int) -> None:
    assert language_of(receivers(room, None)) == "ja"
    assert language_of([]) == "ja"
    with writing() as tx:
        groups.add_group(tx, ADMIN, "C" + "3" * 32, "English group", "en")
    english = groups.known_groups(None)[0].id
    change(Classroom, room, group_id=english)
    assert language_of(receivers(room, None)) == "en"


def test_publications_are_listed_newest_first_and_in_portions(room: int) -> None:
    made = [send(room).id for _ in range(3)]
    assert [one.id for one in publications(None, 2)] == made[:0:-1]
    assert [one.id for one in publications(made[1], 2)] == [made[0]]
    newest = get_publication(made[2])
    assert newest is not None
    assert [one.replaced for one in revisions_of(newest)] == [False, True, True]
    assert by_document(newest.document_id) == newest
    assert (get_publication(777), by_document("x"), image_of(777)) == (None, None, None)


def test_a_withdrawn_revision_stands_in_nobodys_place(room: int) -> None:
    first, second = send(room).id, send(room).id
    with writing() as tx:
        assert send_table.withdraw(tx, ADMIN, second)
        assert not send_table.withdraw(tx, ADMIN, second)
    table = get_publication(first)
    assert table is not None
    assert not table.replaced


def test_an_own_picture_is_stored_as_it_was_checked(room: int) -> None:
    made = send_picture(ADMIN, wanted(room), b"checked", request_id=request_id(), default_group=None)
    assert db.session.get_one(PublicationImage, made.id).png == b"checked"


def test_classrooms_and_groups_are_named_once(app: Flask) -> None:
    with writing() as tx:
        one, two = add_classroom(tx, ADMIN, "渋谷", None), add_classroom(tx, ADMIN, "横浜", None)
    with pytest.raises(InvalidInput), writing() as tx:
        change_classroom(tx, ADMIN, two, "渋谷", None)
    with pytest.raises(InvalidInput), writing() as tx:
        change_classroom(tx, ADMIN, two, "横浜", 777)
    with pytest.raises(InvalidInput), writing() as tx:
        add_classroom(tx, ADMIN, "新宿", 777)
    with writing() as tx:
        assert change_classroom(tx, ADMIN, one, "渋谷", None)
        assert not change_classroom(tx, ADMIN, 777, "新宿", None)
        groups.add_group(tx, ADMIN, GROUP_ID, "講師", "ja")
    assert {room.name for room in classrooms()} == {"渋谷", "横浜"}
    with pytest.raises(InvalidInput), writing() as tx:
        groups.add_group(tx, ADMIN, GROUP_ID, "講師", "ja")
    with writing() as tx:
        assert not groups.change_group(tx, ADMIN, 777, "講師", "ja")
