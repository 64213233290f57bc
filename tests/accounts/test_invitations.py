"""Invitations: good once, for seven days, and only the newest."""

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.accounts import invitations, sessions
from app.accounts.invitations import Standing
from app.accounts.known import NoSuchAccountError
from app.accounts.models import Account, Invitation
from app.accounts.passwords import hash_password
from app.accounts.sign_in import recognise
from app.audit import Actor
from app.extensions import db
from app.faults import InvalidInput
from app.operations.access import accept_invitation
from app.transaction import writing
from tests.factories import change, make_account, signed_in
from tests.fixtures.background import later

ADMIN = Actor(None, "青木 葵")
PASSWORD = "a password of hers"


def invited(account: int) -> str:
    with writing() as tx:
        return invitations.invite(tx, ADMIN, account)


def accepted(token: str) -> str | None:
    password_hash = hash_password(PASSWORD)
    with writing() as tx:
        return accept_invitation(tx, token, password_hash, "", None)


def standing(token: str) -> Standing | None:
    db.session.rollback()
    found = invitations.look(token)
    return found.standing if found else None


def test_it_sets_a_password_and_lets_in_once(app: Flask) -> None:
    account = make_account()
    token = invited(account)
    secret = accepted(token)
    assert secret is not None
    who = sessions.load(secret)
    assert who is not None
    assert who.id == account
    email = db.session.get_one(Account, account).email
    assert recognise(email, PASSWORD) is not None
    assert standing(token) is Standing.USED
    assert accepted(token) is None


def test_looking_changes_nothing(app: Flask) -> None:
    token = invited(make_account())
    assert [standing(token) for _ in range(3)] == [Standing.OPEN] * 3


def test_it_is_good_for_seven_days(app: Flask) -> None:
    token = invited(make_account())
    with later(days=7, minutes=-1):
        assert standing(token) is Standing.OPEN
    with later(days=7, minutes=1):
        assert standing(token) is Standing.EXPIRED
        assert accepted(token) is None


def test_a_new_one_replaces_an_older_one(app: Flask) -> None:
    account = make_account()
    old, other, new = invited(account), invited(make_account()), invited(account)
    assert [standing(one) for one in (old, other, new)] == [Standing.REPLACED, Standing.OPEN, Standing.OPEN]
    assert accepted(old) is None
    assert accepted(new) is not None


def test_it_serves_whoever_forgot_the_password_and_signs_out_whoever_knew_it(app: Flask) -> None:
    account = make_account(password="the old password")
    before = signed_in(account)
    assert accepted(invited(account)) is not None
    assert sessions.load(before) is None
    assert recognise(db.session.get_one(Account, account).email, "the old password") is None


def test_a_suspended_account_is_neither_invited_nor_let_in(app: Flask) -> None:
    account = make_account()
    token = invited(account)
    change(Account, account, active=False)
    assert standing(token) is Standing.SUSPENDED
    assert accepted(token) is None
    with pytest.raises(InvalidInput):
        invited(account)
    with pytest.raises(NoSuchAccountError):
        invited(777)


def test_a_token_that_nobody_made_opens_nothing(app: Flask) -> None:
    make_account()
    assert standing("x" * 43) is None
    assert accepted("x" * 43) is None


def test_the_token_is_kept_nowhere(app: Flask) -> None:
    account = make_account()
    token = invited(account)
    kept = db.session.scalars(select(Invitation)).one()
    assert token not in (kept.token_hash, str([entry.detail for entry in audit.entries("account", account)]))
    assert len(kept.token_hash) == 64
    assert [entry.act for entry in audit.entries("account", account)] == ["invite"]
