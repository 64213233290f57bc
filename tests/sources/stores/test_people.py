"""Who works for a store: owners and admins say so, and there is always an owner."""

from contextlib import suppress

import pytest
from flask import Flask

from app import audit
from app.accounts.known import who
from app.accounts.memberships import OWNERS, Post, members
from app.accounts.models import Account
from app.accounts.signed_in import Who
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.sources.stores.people import NotTheirsError, add_staff, hand_over, remove, set_post
from app.sources.stores.stores import archive_store
from app.transaction import Transaction, writing
from tests.factories import change, make_account
from tests.sources.stores.town import ADMIN, at_once, make_store, people


def make_staff(tx: Transaction, actor: Who, store: int, account: int) -> bool:
    return set_post(tx, actor, store, account, Post.STAFF)


def acts_on(store: int) -> list[str]:
    db.session.rollback()
    return [entry.act for entry in audit.entries("store", store)]


def test_an_owner_adds_staff_makes_owners_and_removes_them(app: Flask) -> None:
    owner, other = people(2)
    store = make_store(owner)
    with writing() as tx:
        add_staff(tx, who(owner), store, f" {who(other).email.upper()} ")
    assert (members(store), members(store, OWNERS)) == ([owner, other], [owner])
    with writing() as tx:
        assert set_post(tx, who(owner), store, other, Post.OWNER)
        assert not set_post(tx, who(owner), store, other, Post.OWNER)
    with writing() as tx:
        assert set_post(tx, who(other), store, owner, Post.STAFF)
        assert remove(tx, who(other), store, owner)
        assert not remove(tx, who(other), store, owner)
    assert members(store) == [other]
    assert acts_on(store) == ["add", "add_staff", "make_owner", "make_staff", "remove"]


@pytest.mark.parametrize("act", [remove, make_staff], ids=["remove", "make staff"])
def test_the_last_owner_stays(app: Flask, act: object) -> None:
    owner, clerk = people(2)
    store = make_store(owner, clerk)
    assert callable(act)
    with pytest.raises(InvalidInput) as refused, writing() as tx:
        act(tx, who(owner), store, owner)
    assert [fault.field for fault in refused.value.faults] == ["people"]
    assert members(store, OWNERS) == [owner]


@pytest.mark.parametrize("email", ["nobody@example.jp", "", "x"])
def test_an_address_without_an_account_is_a_clear_fault(app: Flask, email: str) -> None:
    owner = make_account()
    store = make_store(owner)
    for act in (add_staff, hand_over):
        with pytest.raises(InvalidInput) as refused, writing() as tx:
            act(tx, who(owner), store, email)
        assert refused.value.faults == (Fault("email", f"There is no account with the e-mail address {email}."),)
    assert members(store) == [owner]


def test_who_is_suspended_or_works_there_already_is_not_added(app: Flask) -> None:
    owner, clerk, asleep = people(3)
    store, email = make_store(owner, clerk), who(asleep).email
    change(Account, asleep, active=False)
    for address, says in ((email, f"{email} is suspended."), (who(clerk).email, "会員2 works for this store")):
        with pytest.raises(InvalidInput) as refused, writing() as tx:
            add_staff(tx, who(owner), store, address)
        assert says in refused.value.faults[0].message


def test_staff_strangers_and_owners_of_an_archived_store_may_not_say_who_works_there(app: Flask) -> None:
    owner, clerk, stranger = people(3)
    store = make_store(owner, clerk)
    for one in (clerk, stranger):
        with pytest.raises(NotTheirsError), writing() as tx:
            remove(tx, who(one), store, clerk)
    with writing() as tx:
        archive_store(tx, ADMIN, store)
    with pytest.raises(NotTheirsError), writing() as tx:
        remove(tx, who(owner), store, clerk)
    with writing() as tx:
        assert remove(tx, who(make_account("admin")), store, clerk)


def test_two_owners_who_remove_each_other_at_once_leave_one(app: Flask) -> None:
    one, two = people(2)
    store = make_store(one, two)
    with writing() as tx:
        set_post(tx, who(one), store, two, Post.OWNER)

    def leave(actor: int, leaving: int) -> None:
        with suppress(NotTheirsError), writing() as tx:
            remove(tx, who(actor), store, leaving)

    assert at_once(app, lambda: leave(one, two), lambda: leave(two, one)) == []
    db.session.rollback()
    assert len(members(store, OWNERS)) == len(members(store)) == 1
    assert acts_on(store).count("remove") == 1


def test_two_owners_who_step_down_at_once_leave_one(app: Flask) -> None:
    one, two = people(2)
    store = make_store(one, two)
    with writing() as tx:
        set_post(tx, who(one), store, two, Post.OWNER)

    def step_down(actor: int) -> None:
        with suppress(InvalidInput), writing() as tx:
            set_post(tx, who(actor), store, actor, Post.STAFF)

    assert at_once(app, lambda: step_down(one), lambda: step_down(two)) == []
    db.session.rollback()
    assert len(members(store, OWNERS)) == 1


def test_handed_over_the_owners_leave_and_the_staff_stay(app: Flask) -> None:
    owner, clerk, newcomer = people(3)
    store = make_store(owner, clerk)
    with writing() as tx:
        hand_over(tx, who(owner), store, who(newcomer).email)
    assert (members(store), members(store, OWNERS)) == ([clerk, newcomer], [newcomer])
    with writing() as tx:
        hand_over(tx, who(newcomer), store, who(clerk).email)
    assert (members(store), members(store, OWNERS)) == ([clerk], [clerk])
    with pytest.raises(InvalidInput), writing() as tx:
        hand_over(tx, who(clerk), store, who(clerk).email)
    assert acts_on(store)[-2:] == ["hand_over", "hand_over"]
