"""Deleting an account: what was the person's is gone, what history refers to stays."""

import pytest
from flask import Flask
from flask_babel import force_locale
from sqlalchemy import func, select

from app import audit
from app.accounts import invitations, sessions
from app.accounts.administrators import hold_to_restrict
from app.accounts.edit import change_account
from app.accounts.known import NoSuchAccountError, who
from app.accounts.memberships import Post, members
from app.accounts.models import Account, Invitation
from app.accounts.sign_in import recognise
from app.audit import Actor
from app.extensions import db
from app.faults import InvalidInput
from app.operations import devices
from app.operations.access import resume, set_role, sign_out_everywhere, suspend
from app.operations.deletion import PERSONAL, delete_account
from app.operations.people import set_language, set_line_user
from app.operations.recipients import set_line_enabled
from app.outbox.models import Delivery
from app.outbox.state import State
from app.reach.devices import Agreed
from app.reach.models import Device, LineLink
from app.reach.people import get_person, people
from app.reach.preferences import set_preferences
from app.reach.quiet_hours import set_quiet_hours
from app.sources.classroom.shifts.listing import get_shift, shifts_to_come
from app.sources.classroom.shifts.tutors import tutors
from app.sources.stores.people import set_post
from app.sources.stores.stores import archive_store
from app.sources.trial.try_device import try_device
from app.transaction import Transaction, writing
from tests.factories import (
    change,
    delivery,
    line_user,
    make_account,
    make_delivery,
    make_shift,
    make_tutor,
    signed_in,
    soon,
)  # fmt: skip
from tests.fakes.inbox_kind import greeting
from tests.inbox.inboxes import chosen, make_device, quiet, tell
from tests.racing import race
from tests.sources.stores.town import make_store

ADMIN = Actor(None, "青木 葵")
PASSWORD = "a password of hers"


def deleted(account: int) -> None:
    with writing() as tx:
        delete_account(tx, ADMIN, account)


def test_what_was_the_persons_is_erased_and_what_waits_ends(app: Flask) -> None:
    tutor = make_tutor(name="髙橋 花子")
    email = db.session.get_one(Account, tutor).email
    waiting, sent = make_delivery(tutor), make_delivery(tutor)
    change(Delivery, sent, state=State.FAILED, frozen_request=b"personal")
    with writing() as tx:
        invitations.invite(tx, ADMIN, tutor)
    secret = signed_in(tutor)
    deleted(tutor)
    row = db.session.get_one(Account, tutor)
    assert (row.name, row.password_hash, row.active) == ("", None, False)
    assert row.deleted_at is not None
    assert email not in row.email
    assert [db.session.scalar(select(func.count()).select_from(table)) for table in (LineLink, Invitation)] == [0, 0]
    assert sessions.load(secret) is None
    assert (delivery(waiting).state, delivery(waiting).cancel_reason) == (State.CANCELED, "recipient_disabled")
    assert (delivery(sent).state, delivery(sent).address_label) == (State.FAILED, "")
    assert db.session.scalar(select(Delivery.frozen_request).where(Delivery.id == sent)) is None


def test_address_and_line_user_are_free_again(app: Flask) -> None:
    tutor = make_tutor(line_user_id=line_user(5))
    email = db.session.get_one(Account, tutor).email
    deleted(tutor)
    other = make_tutor()
    with writing() as tx:
        change_account(tx, ADMIN, other, email=email)
        set_line_user(tx, ADMIN, other, line_user(5))
    assert db.session.get_one(Account, other).email == email


@pytest.mark.parametrize(("language", "called"), [("en", "(deleted account)"), ("ja", "（削除されたアカウント）")])
def test_history_keeps_it_without_a_name_and_lists_of_people_do_not(app: Flask, language: str, called: str) -> None:
    tutor = make_tutor(name="髙橋 花子")
    shift, later = make_shift(tutor), make_shift(tutor)
    with writing() as tx:
        audit.note(tx, Actor(tutor, "髙橋 花子"), "add", ("shift", shift))
    assert shifts_to_come(tutor, soon(0)) == 2
    deleted(tutor)
    with force_locale(language):
        line, person = get_shift(later), get_person(tutor)
        assert line is not None
        assert person is not None
        assert [line.tutor, person.name, audit.entries("shift", shift)[0].who] == [called] * 3
    assert people("", None, 50) == []
    assert tutor not in tutors()


def test_nothing_can_be_done_with_it_any_more(app: Flask) -> None:
    account = make_account(password=PASSWORD)
    deleted(account)
    placeholder = db.session.get_one(Account, account).email
    assert recognise(placeholder, PASSWORD) is None
    for act in (
        lambda tx: delete_account(tx, ADMIN, account),
        lambda tx: suspend(tx, ADMIN, account),
        lambda tx: resume(tx, ADMIN, account),
        lambda tx: set_role(tx, ADMIN, account, "staff"),
        lambda tx: set_language(tx, ADMIN, account, "en"),
        lambda tx: set_line_user(tx, ADMIN, account, line_user(7)),
        lambda tx: set_line_enabled(tx, ADMIN, account, True),
        lambda tx: change_account(tx, ADMIN, account, name="X"),
        lambda tx: invitations.invite(tx, ADMIN, account),
        lambda tx: sign_out_everywhere(tx, ADMIN, account),
    ):
        with pytest.raises(NoSuchAccountError), writing() as tx:
            act(tx)


def test_nobody_restricts_themselves(app: Flask) -> None:
    make_account("admin", password=PASSWORD)
    me = make_account("admin", password=PASSWORD)
    for act in (suspend, delete_account, lambda tx, actor, account: set_role(tx, actor, account, "staff")):
        with pytest.raises(InvalidInput), writing() as tx:
            act(tx, Actor(me, "me"), me)
    assert db.session.get_one(Account, me).active


def test_an_administrator_who_cannot_sign_in_does_not_replace_the_last_one_who_can(app: Flask) -> None:
    last = make_account("admin", password=PASSWORD)
    make_account("admin")
    suspended = make_account("admin", password=PASSWORD)
    change(Account, suspended, active=False)
    make_account("staff", password=PASSWORD)
    with pytest.raises(InvalidInput), writing() as tx:
        hold_to_restrict(tx, ADMIN, last)
    change(Account, suspended, active=True)
    with writing() as tx:
        assert suspend(tx, ADMIN, last) == []
        assert suspend(tx, ADMIN, last) is None


def test_an_account_that_was_deleted_gives_its_id_to_nobody(app: Flask) -> None:
    account = make_account()
    deleted(account)
    assert make_account() != account
    assert [entry.act for entry in audit.entries("account", account)] == ["delete_account"]


def test_nothing_of_the_inbox_the_devices_and_the_choices_is_left(app: Flask) -> None:
    account, other = make_account(), make_account(name="田中")
    make_device(account)
    chosen(account, "greetings", "line", True)
    quiet(account, 60, 120)
    store = make_store(other, account)
    with greeting():
        tell(other, account)
    deleted(account)
    left = [db.session.scalar(select(func.count()).where(table.account_id == account)) for table in PERSONAL]
    assert left == [0] * len(PERSONAL)
    assert members(store) == [other]


def test_a_choice_that_is_made_at_the_same_moment_leaves_nothing_behind(app: Flask) -> None:
    account = make_account()
    device = make_device(account)

    def choose(tx: Transaction) -> None:
        for verb, choice in (
            (set_preferences, ({("greetings", "web_push"): False},)),
            (set_quiet_hours, ("22:00", "07:00")),
            (try_device, (device,)),
        ):
            with pytest.raises(NoSuchAccountError):
                verb(tx, account, *choice)

    race(app, lambda tx: delete_account(tx, ADMIN, account), choose)
    left = [db.session.scalar(select(func.count()).where(table.account_id == account)) for table in PERSONAL]
    assert left == [0] * len(PERSONAL)


def test_the_only_owner_of_stores_hands_them_over_first(app: Flask) -> None:
    owner = make_account()
    stores = [make_store(owner, name=name) for name in ("A店", "B店")]
    with pytest.raises(InvalidInput) as refused:
        deleted(owner)
    assert refused.value.faults[0].message == "Nobody else owns A店, B店: hand over first."
    assert [members(store) for store in stores] == [[owner], [owner]]


def test_nothing_more_comes_into_the_inbox_of_a_deleted_account(app: Flask) -> None:
    account, other = make_account(), make_account()
    deleted(account)
    with greeting():
        assert tell(other, account) == []


@pytest.mark.parametrize("archived", [False, True])
def test_a_suspended_owner_is_no_heir(app: Flask, archived: bool) -> None:
    owner, other = make_account(), make_account()
    store = make_store(owner, other)
    with writing() as tx:
        set_post(tx, who(owner), store, other, Post.OWNER)
        suspend(tx, ADMIN, other)
        if archived:
            archive_store(tx, ADMIN, store)
    with pytest.raises(InvalidInput):
        deleted(owner)
    assert owner in members(store)


def test_a_device_cannot_be_registered_for_a_deleted_account(app: Flask) -> None:
    account = make_account()
    deleted(account)
    agreed = Agreed("https://push.example/1", "p", "a", "v", "h" * 64, "Firefox", "en")
    with pytest.raises(NoSuchAccountError), writing() as tx:
        devices.register(tx, Actor(account, ""), account, agreed, None)
    assert db.session.scalar(select(func.count()).select_from(Device)) == 0
