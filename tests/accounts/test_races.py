"""What is taken or lost by two people at the same moment: one of them gets an answer, nobody an error page."""

from flask import Flask
from sqlalchemy import select

from app.accounts import invitations
from app.accounts.edit import change_account
from app.accounts.models import Account
from app.accounts.passwords import hash_password
from app.audit import Actor
from app.extensions import db
from app.operations.access import accept_invitation, set_role, suspend
from app.operations.deletion import delete_account
from app.operations.groups import add_group, known_groups
from app.operations.people import set_line_user
from app.sources.classroom.classroom_settings import change_classroom, classrooms
from app.transaction import writing
from tests.factories import line_user, make_account, make_classroom, make_tutor
from tests.racing import race

ADMIN = Actor(None, "青木 葵")


def active_administrators() -> list[int]:
    db.session.rollback()
    able = (Account.role == "admin") & Account.active
    return list(db.session.scalars(select(Account.id).where(able)))


def test_two_administrators_who_suspend_each_other_do_not_both_succeed(app: Flask) -> None:
    one, two = (make_account("admin", password="a password of hers") for _ in range(2))
    refused = race(app, lambda tx: suspend(tx, Actor(one, "A"), two), lambda tx: suspend(tx, Actor(two, "B"), one))
    assert refused == ["account"]
    assert active_administrators() == [one]


def test_of_two_administrators_who_delete_and_demote_each_other_one_remains(app: Flask) -> None:
    one, two = (make_account("admin", password="a password of hers") for _ in range(2))
    refused = race(
        app, lambda tx: delete_account(tx, Actor(one, "A"), two), lambda tx: set_role(tx, Actor(two, "B"), one, "staff")
    )
    assert refused == ["account"]
    assert active_administrators() == [one]


def test_an_e_mail_address_is_taken_by_one_of_two(app: Flask) -> None:
    one, two = make_account(), make_account()
    refused = race(
        app,
        lambda tx: change_account(tx, ADMIN, one, email="new@example.jp"),
        lambda tx: change_account(tx, ADMIN, two, email="New@example.jp"),
    )
    assert refused == ["email"]


def test_a_line_user_is_linked_to_one_of_two(app: Flask) -> None:
    one, two = make_tutor(), make_tutor()
    refused = race(
        app,
        lambda tx: set_line_user(tx, ADMIN, one, line_user(0xABC)),
        lambda tx: set_line_user(tx, ADMIN, two, line_user(0xABC)),
    )
    assert refused == ["line_user_id"]


def test_a_classroom_name_is_taken_by_one_of_two(app: Flask) -> None:
    one, two = make_classroom(), make_classroom()
    refused = race(
        app,
        lambda tx: change_classroom(tx, ADMIN, one, "新宿", None),
        lambda tx: change_classroom(tx, ADMIN, two, "新宿", None),
    )
    assert refused == ["name"]
    assert [room.id for room in classrooms() if room.name == "新宿"] == [one]


def test_a_line_group_is_entered_by_one_of_two_and_keeps_the_name_given_there(app: Flask) -> None:
    group = "C" + "5" * 32
    refused = race(
        app,
        lambda tx: add_group(tx, ADMIN, group, "講師", "ja"),
        lambda tx: add_group(tx, ADMIN, group, "Tutors", "en"),
    )
    assert refused == ["line_group_id"]
    assert [one.name for one in known_groups(None)] == ["講師"]


def test_an_invitation_lets_one_of_two_in(app: Flask) -> None:
    account, password_hash = make_account(), hash_password("a password of hers")
    with writing() as tx:
        token = invitations.invite(tx, ADMIN, account)
    let_in: list[str | None] = []
    race(
        app,
        lambda tx: let_in.append(accept_invitation(tx, token, password_hash, "", None)),
        lambda tx: let_in.append(accept_invitation(tx, token, password_hash, "", None)),
    )
    assert let_in[0] is not None
    assert let_in[1:] == [None]


def test_an_invitation_is_not_good_once_its_account_was_suspended_at_the_same_moment(app: Flask) -> None:
    account, password_hash = make_account(), hash_password("a password of hers")
    with writing() as tx:
        token = invitations.invite(tx, ADMIN, account)
    let_in: list[str | None] = []
    race(
        app,
        lambda tx: suspend(tx, ADMIN, account),
        lambda tx: let_in.append(accept_invitation(tx, token, password_hash, "", None)),
    )
    assert let_in == [None]
