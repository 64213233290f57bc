"""The published table for whoever may see that classroom."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.audit import Actor
from app.clock import now
from app.extensions import db
from app.sources.classroom.models import Publication, Shift
from app.sources.classroom.publication.month_table import Wanted
from app.sources.classroom.publication.send import send_picture, withdraw
from app.transaction import writing
from tests.factories import change, make_classroom, make_tutor
from tests.web.classroom import TOKYO, give_group, next_month, shift_on
from tests.web.visitor import Visitor, text_of

ADMIN = Actor(None, "青木")


@dataclass
class House:
    """A classroom with a tutor, and another with another."""

    app: Flask
    room: int
    other_room: int
    shift: int

    def publish(self, room: int | None) -> tuple[int, str]:
        """A table of a classroom or of all: its id and the document id."""
        with self.app.app_context():
            wanted = Wanted(next_month(), room, "ja", TOKYO)
            request_id = f"r{now().timestamp()}"
            made = send_picture(ADMIN, wanted, b"png", request_id=request_id, default_group=None)
            return made.id, db.session.get_one(Publication, made.id).document_id

    def member(self, **shift: object) -> Visitor:
        """A tutor with a shift of next month, in the classroom unless said otherwise."""
        with self.app.app_context():
            tutor = make_tutor(language="en")
            shift = {"classroom_id": self.room} | shift
            shift_id = shift_on(next_month(), tutor)
            change(Shift, shift_id, **shift)
            return Visitor(self.app, tutor)


@pytest.fixture
def house(pages_app: Flask) -> House:
    with pages_app.app_context():
        room, other = make_classroom(), make_classroom()
        give_group(room)
        give_group(other, "C" + "1" * 32)
        return House(pages_app, room, other, shift_on(next_month(), make_tutor(), classroom_id=room))


def test_whoever_works_there_that_month_sees_it(house: House) -> None:
    _, document = house.publish(house.room)
    tutor = house.member()
    page = tutor.get(f"/liff?document={document}")
    assert page.status_code == 200
    assert f'src="/liff/table.png?document={document}"' in page.text
    image = tutor.get(f"/liff/table.png?document={document}")
    assert (image.data, image.content_type) == (b"png", "image/png")
    assert image.headers["Cache-Control"] == "private, no-store"


NOT_THERE: dict[str, dict[str, Any]] = {
    "a draft": {"status": "draft"},
    "deleted": {"deleted_at": now()},
    "another month": {"starts_at": now() + timedelta(days=90), "ends_at": now() + timedelta(days=90, hours=1)},
}


@pytest.mark.parametrize("why", [*NOT_THERE, "another classroom", "no shift"])
def test_others_find_nothing(house: House, member: Visitor, why: str) -> None:
    _, document = house.publish(house.room)
    elsewhere: dict[str, dict[str, Any]] = {"another classroom": {"classroom_id": house.other_room}}
    other = member if why == "no shift" else house.member(**(NOT_THERE | elsewhere)[why])
    for path in ("/liff", "/liff/table.png"):
        refused = other.get(f"{path}?document={document}")
        assert refused.status_code == 404
        assert "You may be signed in with another account." in text_of(refused)
        unknown = other.get(f"{path}?document={'x' * len(document)}")
        assert text_of(refused) == text_of(unknown), "nobody learns whether it exists"


def test_the_table_of_all_classrooms_is_for_whoever_works_anywhere(house: House, member: Visitor) -> None:
    _, document = house.publish(None)
    assert house.member(classroom_id=house.other_room).get(f"/liff?document={document}").status_code == 200
    assert member.get(f"/liff?document={document}").status_code == 404


def test_who_loses_the_shift_loses_the_table(house: House) -> None:
    _, document = house.publish(house.room)
    with house.app.app_context():
        tutor = db.session.get_one(Shift, house.shift).tutor_id
    visitor = Visitor(house.app, tutor)
    assert visitor.get(f"/liff?document={document}").status_code == 200
    with house.app.app_context():
        change(Shift, house.shift, status="draft")
    assert visitor.get(f"/liff?document={document}").status_code == 404


def test_those_who_plan_see_every_table(house: House, admin: Visitor, staff: Visitor) -> None:
    _, document = house.publish(house.room)
    for planner in (admin, staff):
        assert planner.get(f"/liff?document={document}").status_code == 200


def test_a_withdrawn_table_says_so_and_shows_no_picture(house: House, admin: Visitor) -> None:
    made, document = house.publish(house.room)
    with house.app.app_context(), writing() as tx:
        withdraw(tx, ADMIN, made)
    page = admin.get(f"/liff?document={document}")
    assert "This table was withdrawn." in text_of(page)
    assert "<img" not in page.text
    assert admin.get(f"/liff/table.png?document={document}").status_code == 404


def test_an_older_revision_leads_to_the_newest_that_holds(house: House) -> None:
    _, first = house.publish(house.room)
    second_id, second = house.publish(house.room)
    tutor = house.member()
    assert f'href="/liff?document={second}"' in tutor.get(f"/liff?document={first}").text
    assert "A newer revision" not in text_of(tutor.get(f"/liff?document={second}"))
    with house.app.app_context(), writing() as tx:
        withdraw(tx, ADMIN, second_id)
    assert "A newer revision" not in text_of(tutor.get(f"/liff?document={first}"))


def test_who_is_not_signed_in_comes_back_to_the_table(house: House, stranger: Visitor) -> None:
    _, document = house.publish(house.room)
    answer = stranger.get(f"/liff?document={document}")
    assert answer.status_code == 302
    assert answer.location == f"/login?next=/liff?document%3D{document}"
    assert stranger.get(f"/liff/table.png?document={document}").status_code == 302


@pytest.mark.parametrize("query", ["", "?document=", "?document=x", "?document=" + "x" * 500])
def test_an_address_without_a_known_document_is_not_found(admin: Visitor, query: str) -> None:
    assert admin.get(f"/liff{query}").status_code == 404
    assert admin.get(f"/liff/table.png{query}").status_code == 404
