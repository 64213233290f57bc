"""Browsers that are signed in: each a row, ended by itself and at once."""

from flask import Flask
from sqlalchemy import event, select

from app.accounts import invitations, sessions
from app.accounts.models import Account, BrowserSession
from app.accounts.passwords import hash_password
from app.accounts.sign_in import Recognised, recognise, sign_in
from app.audit import Actor
from app.extensions import db
from app.operations.access import Here, change_password, resume, set_role, suspend
from app.operations.access import sign_out as sign_out_elsewhere
from app.transaction import writing
from tests.factories import change, make_account, session_of, signed_in
from tests.fixtures.background import later

ADMIN = Actor(None, "青木 葵")
OLD, NEW = "the old password", "the new password"


def is_in(*secrets: str) -> list[bool]:
    db.session.rollback()
    return [sessions.load(secret) is not None for secret in secrets]


def test_ending_one_leaves_the_others(app: Flask) -> None:
    account = make_account()
    one, two = signed_in(account), signed_in(account)
    with writing() as tx:
        assert sign_out_elsewhere(tx, ADMIN, account, session_of(one))
    assert is_in(one, two) == [False, True]


def test_nobody_ends_a_session_of_somebody_else(app: Flask) -> None:
    theirs = signed_in(make_account())
    with writing() as tx:
        assert not sign_out_elsewhere(tx, ADMIN, make_account(), session_of(theirs))
    assert is_in(theirs) == [True]


def test_another_password_ends_every_session_but_its_own_and_open_invitations(app: Flask) -> None:
    account = make_account(password=OLD)
    here, elsewhere, theirs = signed_in(account), signed_in(account), signed_in(make_account())
    present, new_hash = db.session.get_one(Account, account).password_hash, hash_password(NEW)
    assert present is not None
    with writing() as tx:
        token = invitations.invite(tx, ADMIN, account)
    with writing() as tx:
        renewed = change_password(tx, ADMIN, account, present, new_hash, Here(session_of(here), None))
    assert renewed is not None
    assert is_in(renewed, here, elsewhere, theirs) == [True, False, False, True]
    found = invitations.look(token)
    assert found is not None
    assert found.standing is invitations.Standing.EXPIRED
    with writing() as tx:
        assert not change_password(tx, ADMIN, account, present, new_hash, Here(session_of(renewed), None))


def test_another_role_and_a_suspension_end_all_and_resuming_brings_none_back(app: Flask) -> None:
    make_account("admin", password=OLD)
    account = make_account("admin", password=OLD)
    one = signed_in(account)
    with writing() as tx:
        set_role(tx, ADMIN, account, "staff")
    two = signed_in(account)
    with writing() as tx:
        suspend(tx, ADMIN, account)
        resume(tx, ADMIN, account)
    assert is_in(one, two) == [False, False]


def test_a_browser_that_stays_away_for_thirty_days_signs_in_again(app: Flask) -> None:
    account = make_account()
    secret = signed_in(account)
    with later(days=29):
        assert is_in(secret) == [True]
    with later(days=31):
        assert is_in(secret) == [False]
        assert sessions.browsers(account) == []
        signed_in(account)
    assert len(db.session.scalars(select(BrowserSession)).all()) == 1


def test_it_costs_one_read_and_no_more_than_one_write_an_hour(app: Flask) -> None:
    secret = signed_in(make_account())
    db.session.rollback()
    asked: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda _c, _u, statement, *_: asked.append(statement))
    who = sessions.load(secret)
    assert len([one for one in asked if one.startswith("SELECT")]) == 1
    assert who is not None
    assert not who.stale
    with later(hours=2):
        stale = sessions.load(secret)
        assert stale is not None
        assert stale.stale
        with writing() as tx:
            sessions.note_seen(tx, stale.session_id, None)
        fresh = sessions.load(secret)
        assert fresh is not None
        assert not fresh.stale


def test_whoever_was_suspended_or_got_another_password_since_it_was_given_is_not_let_in(app: Flask) -> None:
    one, two = make_account(password=OLD), make_account(password=OLD)
    first, second = (recognise(db.session.get_one(Account, account).email, OLD) for account in (one, two))
    change(Account, one, active=False)
    change(Account, two, password_hash=hash_password(NEW))
    for who in (first, second):
        assert who is not None
        with writing() as tx:
            assert sign_in(tx, who, "", None) is None


def test_a_weaker_hash_is_replaced_when_its_owner_signs_in(app: Flask) -> None:
    account = make_account(password=OLD)
    present, stronger = db.session.get_one(Account, account).password_hash, hash_password(OLD)
    assert present is not None
    with writing() as tx:
        assert sign_in(tx, Recognised(account, present, stronger), "", None) is not None
    assert db.session.get_one(Account, account).password_hash == stronger


def test_the_secret_is_kept_nowhere(app: Flask) -> None:
    secret = signed_in(make_account())
    assert secret not in str(db.session.execute(select(BrowserSession.__table__)).all())
