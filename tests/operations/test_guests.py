"""What becomes of guests: an account takes over what they had, or they are forgotten."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.accounts import guests as accounts
from app.accounts import invitations, sessions
from app.accounts.edit import change_account
from app.accounts.models import Account, BrowserSession
from app.audit import Actor
from app.background.forgetting import forget_guests
from app.clock import now
from app.extensions import db
from app.faults import InvalidInput
from app.inbox.models import Notification
from app.operations.access import set_role
from app.operations.guests import forget, take_over
from app.operations.people import set_line_user
from app.outbox.models import Delivery
from app.reach.models import Device
from app.reach.people import people
from app.sources.announcements.audience import concerned
from app.sources.announcements.models import Audience
from app.sources.classroom.shifts.tutors import tutors
from app.sources.prices.models import Watch
from app.sources.prices.watch import pause
from app.transaction import writing
from tests.factories import change, line_user, make_account, make_guest
from tests.fakes.inbox_kind import greeting
from tests.fakes.shop import FakeShop
from tests.inbox.inboxes import make_device, tell
from tests.racing import race
from tests.sources.prices.town import watch_now, watching

ADMIN = Actor(None, "青木 葵")


def taken_over(guest: int, account: int) -> None:
    with writing() as tx:
        take_over(tx, guest, account)


def owners(table: type[Watch] | type[Device] | type[Delivery] | type[Notification]) -> list[int | None]:
    db.session.rollback()
    return list(db.session.scalars(select(table.account_id).order_by(table.id)))


def is_gone(guest: int) -> bool:
    db.session.rollback()
    return db.session.get_one(Account, guest, populate_existing=True).deleted_at is not None


def test_an_account_takes_over_all_that_the_guest_had_and_nothing_of_the_guest_is_left(app: Flask) -> None:
    account, (guest, secret) = make_account(), make_guest()
    with FakeShop() as shop, greeting():
        watch = watching(guest, shop.sells("kettle", "1980"))
        device = make_device(guest)
        tell(1, guest)
    taken_over(guest, account)
    assert owners(Watch) == owners(Device) == owners(Delivery) == owners(Notification) == [account]
    assert watch_now(watch).removed_at is None
    assert db.session.get_one(Device, device).account_id == account
    assert sessions.load(secret) is None
    assert is_gone(guest)


def test_of_the_same_wish_for_the_same_item_the_accounts_own_watch_stays(app: Flask) -> None:
    account, (guest, _secret) = make_account(), make_guest()
    with FakeShop() as shop:
        kettle = shop.sells("kettle", "1980")
        own, theirs = watching(account, kettle, target="1500"), watching(guest, kettle, target="1000")
        other = watching(guest, kettle, trigger="percent_drop")
    taken_over(guest, account)
    assert [watch_now(one).removed_at is None for one in (own, theirs, other)] == [True, False, True]
    assert owners(Watch) == [account] * 3
    assert watch_now(own).target == 1500


@pytest.mark.parametrize(("pauses", "stays"), [("own", "theirs"), ("theirs", "own"), ("both", "own")])
def test_of_the_same_wish_that_which_is_paused_gives_way(app: Flask, pauses: str, stays: str) -> None:
    account, (guest, _secret) = make_account(), make_guest()
    with FakeShop() as shop:
        kettle = shop.sells("kettle", "1980")
        watches = {"own": watching(account, kettle), "theirs": watching(guest, kettle, target="1000")}
    for whose, who in (("own", account), ("theirs", guest)):
        if pauses in (whose, "both"):
            with writing() as tx:
                pause(tx, who, watches[whose])
    taken_over(guest, account)
    assert [whose for whose, one in watches.items() if watch_now(one).removed_at is None] == [stays]
    assert owners(Watch) == [account] * 2


def test_what_the_account_was_told_of_itself_is_not_told_twice(app: Flask) -> None:
    account, (guest, _secret) = make_account(), make_guest()
    with greeting():
        tell(1, guest, account)
        tell(2, guest)
    taken_over(guest, account)
    assert owners(Notification) == [account] * 2


def test_two_tabs_that_sign_in_at_once_take_over_once(app: Flask) -> None:
    account, (guest, _secret) = make_account(), make_guest()
    with FakeShop() as shop:
        watching(guest, shop.sells("kettle", "1980"))
    refused = race(app, lambda tx: take_over(tx, guest, account), lambda tx: take_over(tx, guest, account))
    assert refused == []
    assert owners(Watch) == [account]


def test_a_guest_who_asks_for_it_is_forgotten(app: Flask) -> None:
    guest, secret = make_guest()
    with FakeShop() as shop, greeting():
        watching(guest, shop.sells("kettle", "1980"))
        make_device(guest)
        tell(1, guest)
    with writing() as tx:
        forget(tx, guest)
    assert owners(Watch) == owners(Device) == owners(Notification) == []
    assert is_gone(guest)
    assert sessions.load(secret) is None


@pytest.mark.parametrize(
    ("unseen", "device", "stays"), [(0, False, True), (29, False, True), (31, False, False), (364, True, True),
                                    (366, True, False)]
)  # fmt: skip
def test_whoever_will_not_come_back_is_forgotten(app: Flask, unseen: int, device: bool, stays: bool) -> None:
    guest, _secret = make_guest()
    if device:
        make_device(guest)
    at = now() - timedelta(days=unseen)
    change(Account, guest, created_at=at)
    with writing() as tx:
        tx.session.execute(update(BrowserSession).values(seen_at=at))
    assert forget_guests() == {"forgotten": 0 if stays else 1}
    assert is_gone(guest) is not stays


def test_nobody_but_guests_is_forgotten_for_not_coming(app: Flask) -> None:
    member = make_account()
    change(Account, member, created_at=now() - timedelta(days=1000))
    assert forget_guests() == {"forgotten": 0}
    assert not is_gone(member)


def test_a_guest_is_known_for_a_year_and_others_for_a_month(app: Flask) -> None:
    (_guest, secret), member = make_guest(), make_account()
    with writing() as tx:
        theirs = sessions.begin(tx, member, "", None)
        tx.session.execute(update(BrowserSession).values(seen_at=now() - timedelta(days=300)))
    assert sessions.load(secret) is not None
    assert sessions.load(theirs) is None


def test_a_guest_is_given_nothing_that_takes_an_account_of_ones_own(app: Flask) -> None:
    guest, _secret = make_guest()
    for given in (
        lambda tx: set_role(tx, ADMIN, guest, "admin"),
        lambda tx: change_account(tx, ADMIN, guest, email="guest@example.jp"),
        lambda tx: invitations.invite(tx, ADMIN, guest),
        lambda tx: set_line_user(tx, ADMIN, guest, line_user(7)),
    ):
        with pytest.raises(InvalidInput, match="account"), writing() as tx:
            given(tx)
    with pytest.raises(InvalidInput, match="role"), writing() as tx:
        set_role(tx, ADMIN, make_account(), "guest")


def test_guests_stand_in_no_list_of_people_and_hear_no_announcement(app: Flask) -> None:
    make_guest()
    member = make_account()
    assert [person.id for person in people("", None, 10)] == [member]
    assert list(tutors()) == [member]
    listeners = select(Account.id).where(concerned(Audience.EVERYONE, None))
    assert list(db.session.scalars(listeners)) == [member]


def test_there_are_only_so_many_guests(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "MOST", 2)
    (gone, _secret), _other = make_guest(), make_guest()
    with pytest.raises(InvalidInput, match="guest"):
        make_guest()
    with writing() as tx:
        forget(tx, gone)
    make_guest()
