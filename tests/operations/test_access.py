"""Whoever is signed out from elsewhere gets no more pushes there, and nothing that waits for that browser is sent."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from sqlalchemy import select

from app import audit
from app.accounts import invitations, sessions
from app.accounts.models import Account
from app.accounts.passwords import hash_password
from app.accounts.sessions import NoSuchSessionError
from app.audit import Actor
from app.extensions import db
from app.operations import devices
from app.operations.access import (
    Here,
    accept_invitation,
    change_password,
    leave,
    set_role,
    sign_out,
    sign_out_elsewhere,
    sign_out_everywhere,
)  # fmt: skip
from app.tokens import digest
from app.transaction import Transaction, writing
from tests.factories import delivery, make_account, session_of
from tests.fakes.inbox_kind import greeting
from tests.fixtures.background import later
from tests.inbox.browsers import agreed, devices_now, register, tell
from tests.racing import race

ADMIN = Actor(None, "青木 葵")
OLD = "the old password"

Ended = Callable[[Transaction, int, int], object]
"""What ends this session of this account."""

Elsewhere = Callable[[Transaction, int, int, Here], object]
"""What ends the session of a phone: in a transaction, of this account, by this session, asked for in this browser."""


@pytest.fixture(autouse=True)
def _kind() -> Iterator[None]:
    with greeting():
        yield


def subscription(browser: str) -> dict[str, object]:
    return {"endpoint": f"https://push.example/{browser}", "keys": {"p256dh": "p", "auth": "a"}}


def signed_in(account: int, browser: str, *, device: bool = True) -> int:
    """Somebody signs in in a browser with this cookie, which becomes a device of theirs; the session."""
    with writing() as tx:
        secret = sessions.begin(tx, account, "Chrome · Android", None)
    session = session_of(secret)
    if device:
        with writing() as tx:
            devices.register(tx, Actor(account, ""), account, agreed(subscription(browser), browser), session)
    return session


def _password(tx: Transaction, account: int, _session: int, here: Here) -> None:
    present = db.session.scalar(select(Account.password_hash).where(Account.id == account))
    assert present is not None
    assert change_password(tx, ADMIN, account, present, "another hash", here)


def _invitation(tx: Transaction, account: int, _session: int, here: Here) -> None:
    token = invitations.invite(tx, ADMIN, account)
    assert accept_invitation(tx, token, "another hash", "", here.browser_hash) is not None


def _one(tx: Transaction, account: int, session: int, _here: Here) -> None:
    sign_out(tx, ADMIN, account, session)


ALL_BUT_HERE: list[Elsewhere] = [
    lambda tx, account, _session, here: sign_out_elsewhere(tx, ADMIN, account, here),
    _password,
    _invitation,
]
ALL: list[Elsewhere] = [
    lambda tx, account, _session, _here: sign_out_everywhere(tx, ADMIN, account),
    lambda tx, account, _session, _here: set_role(tx, ADMIN, account, "staff"),
]


@pytest.mark.parametrize(
    ("elsewhere", "left"), [(_one, 1), *((one, 1) for one in ALL_BUT_HERE), *((one, 0) for one in ALL)]
)
def test_a_browser_that_is_signed_out_from_elsewhere_gets_no_more_pushes(
    app: Flask, elsewhere: Elsewhere, left: int
) -> None:
    owner, other = make_account(password=OLD), make_account()
    phone = signed_in(owner, "phone")
    here = Here(signed_in(owner, "here"), digest("here"))
    signed_in(other, "theirs")
    waiting = tell(other, owner)
    assert len(waiting) == 2

    with writing() as tx:
        elsewhere(tx, owner, phone, here)

    known = [one.browser_hash for one in devices_now()]
    assert known == [digest("here")] * left + [digest("theirs")]
    fates = [delivery(one).cancel_reason for one in waiting]
    assert fates == ["device_removed", None if left else "device_removed"]
    acts = [entry.act for entry in audit.entries("account", owner)]
    assert acts.count("remove_device") == 2 - left


@pytest.mark.parametrize("elsewhere", [*ALL_BUT_HERE, *ALL])
def test_signed_out_everywhere_a_device_that_no_session_knows_any_more_goes_as_well(
    app: Flask, elsewhere: Elsewhere
) -> None:
    owner = make_account(password=OLD)
    kept = signed_in(owner, "signed out with keep")
    with writing() as tx:
        sessions.end(tx, owner, kept)
    here = Here(signed_in(owner, "here", device=False), None)
    assert len(devices_now()) == 1
    with writing() as tx:
        elsewhere(tx, owner, here.session_id, here)
    assert devices_now() == []


def test_a_session_that_is_over_by_itself_leaves_its_device(app: Flask) -> None:
    owner = make_account()
    signed_in(owner, "phone")
    with later(days=31):
        signed_in(owner, "laptop", device=False)
        assert len(sessions.browsers(owner)) == 1
        assert [one.browser_hash for one in devices_now()] == [digest("phone")]


def test_one_browser_is_signed_in_once_so_that_its_former_session_cannot_take_its_device_away(app: Flask) -> None:
    owner, other = make_account(), make_account()
    signed_in(owner, "phone")
    signed_in(owner, "no device", device=False)
    with writing() as tx:
        sessions.begin(tx, other, "", digest("phone"))
        sessions.begin(tx, owner, "", digest("phone"))
    assert len(sessions.browsers(owner)) == 2
    assert len(sessions.browsers(other)) == 1


def test_a_browser_is_known_by_the_cookie_with_which_it_signed_in_or_was_seen(app: Flask) -> None:
    owner = make_account()
    for how in ("signed in", "seen"):
        with writing() as tx:
            secret = sessions.begin(tx, owner, "", digest("phone") if how == "signed in" else None)
        session = session_of(secret)
        register(owner, subscription("phone"), "phone")
        with writing() as tx:
            sessions.note_seen(tx, session, digest("phone") if how == "seen" else None)
        with writing() as tx:
            sign_out(tx, ADMIN, owner, session)
        assert devices_now() == [], how


@pytest.mark.parametrize(
    "ended",
    [
        lambda tx, owner, _phone: sign_out_everywhere(tx, ADMIN, owner),
        lambda tx, owner, phone: leave(tx, ADMIN, owner, Here(phone, digest("phone")), keep_pushes=False),
    ],
)
def test_a_browser_that_registers_while_it_is_signed_out_leaves_no_device(app: Flask, ended: Ended) -> None:
    owner = make_account(password=OLD)
    phone = signed_in(owner, "phone", device=False)
    fresh = agreed(subscription("phone"), "phone")
    refused: list[bool] = []

    def come_late(tx: Transaction) -> None:
        with pytest.raises(NoSuchSessionError):
            devices.register(tx, Actor(owner, ""), owner, fresh, phone)
        refused.append(True)

    race(app, lambda tx: ended(tx, owner, phone), come_late)
    assert refused == [True]
    assert devices_now() == []


def test_a_browser_that_was_registering_when_it_was_signed_out_leaves_no_device(app: Flask) -> None:
    owner = make_account()
    phone = signed_in(owner, "phone", device=False)
    fresh = agreed(subscription("phone"), "phone")
    race(
        app,
        lambda tx: devices.register(tx, Actor(owner, ""), owner, fresh, phone),
        lambda tx: leave(tx, ADMIN, owner, Here(phone, digest("phone")), keep_pushes=False),
    )
    assert (devices_now(), sessions.browsers(owner)) == ([], [])


def test_who_comes_late_neither_renews_nor_recognises_a_device(app: Flask) -> None:
    owner = make_account()
    register(owner, subscription("phone"), "phone")
    fresh = agreed(subscription("fresh"), "phone")
    with pytest.raises(NoSuchSessionError), writing() as tx:
        devices.renew(tx, owner, None, fresh, 777)
    with pytest.raises(NoSuchSessionError), writing() as tx:
        devices.recognise(tx, owner, "https://push.example/phone", digest("x"), 777)
    assert [(one.endpoint, one.browser_hash) for one in devices_now()] == [
        ("https://push.example/phone", digest("phone"))
    ]


def test_a_password_that_was_replaced_meanwhile_signs_nobody_out(app: Flask) -> None:
    owner = make_account(password=OLD)
    phone = signed_in(owner, "phone")
    with writing() as tx:
        assert not change_password(tx, ADMIN, owner, hash_password(OLD), "another hash", Here(phone, None))
    assert len(devices_now()) == len(sessions.browsers(owner)) == 1
