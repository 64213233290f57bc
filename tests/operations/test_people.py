"""What an admin sets for an account, and how accounts are found."""

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.accounts.known import NoSuchAccountError
from app.accounts.models import Account
from app.audit import Actor
from app.extensions import db
from app.faults import InvalidInput
from app.operations.people import set_language, set_line_user
from app.reach.models import LineLink
from app.reach.people import get_person, people
from app.transaction import writing
from tests.factories import change, line_user, make_account, make_tutor

ADMIN = Actor(None, "青木 葵")


def line_users() -> dict[int, str]:
    db.session.rollback()
    return {link.account_id: link.line_user_id for link in db.session.scalars(select(LineLink))}


def test_an_account_is_linked_and_linked_anew(app: Flask) -> None:
    one, two = make_account(), make_tutor(line_user_id=line_user(9))
    for number in (1, 2):
        with writing() as tx:
            set_line_user(tx, ADMIN, one, line_user(number))
    with writing() as tx:
        set_line_user(tx, ADMIN, two, line_user(9))
    assert line_users() == {one: line_user(2), two: line_user(9)}
    assert [entry.act for entry in audit.entries("account", one)] == ["link_line", "relink_line"]


@pytest.mark.parametrize("typed", ["", "U1", "C" + "0" * 32, line_user(9)])
def test_a_line_user_that_is_none_or_somebody_elses_changes_nothing(app: Flask, typed: str) -> None:
    make_tutor(line_user_id=line_user(9))
    for account in (make_account(), make_tutor()):
        before = line_users()
        with pytest.raises(InvalidInput), writing() as tx:
            set_line_user(tx, ADMIN, account, typed)
        assert line_users() == before
        assert audit.entries("account", account) == []


def test_an_account_that_does_not_exist_is_said_to_be_none(app: Flask) -> None:
    with pytest.raises(NoSuchAccountError), writing() as tx:
        set_line_user(tx, ADMIN, 777, line_user(1))
    with pytest.raises(NoSuchAccountError), writing() as tx:
        set_language(tx, ADMIN, 777, "ja")


def test_people_are_found_by_parts_of_name_and_address_in_portions(app: Flask) -> None:
    made = [make_account(name=name) for name in ("佐藤", "佐藤", "鈴木")]
    change(Account, make_account(name="100%"), email="percent@example.jp")
    first = people("佐", None, 1)
    assert [one.id for one in first] == made[:1]
    assert [one.id for one in people("佐", (first[0].name, first[0].id), 5)] == made[1:2]
    assert [one.name for one in people("%", None, 5)] == ["100%"]
    assert [one.name for one in people("PERCENT", None, 5)] == ["100%"]
    assert len(people("", None, 50)) == 4


def test_a_person_says_how_they_are_reached(app: Flask) -> None:
    on, none = get_person(make_tutor()), get_person(make_account(password="a password of hers"))
    assert on is not None
    assert none is not None
    assert (on.line, on.can_sign_in, none.line, none.can_sign_in) == ("on", False, "none", True)
    change(LineLink, db.session.scalars(select(LineLink.id)).one(), enabled=False)
    off = get_person(on.id)
    assert off is not None
    assert off.line == "off"
    assert get_person(777) is None
