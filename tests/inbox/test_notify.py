"""An event becomes one notification for each account, and one delivery for each address that wants it."""

from contextlib import suppress

from flask import Flask

from app.accounts.models import Account
from app.inbox.notify import notify
from app.transaction import writing
from tests.factories import all_deliveries, change, make_account, make_tutor
from tests.fakes.inbox_kind import Greeting
from tests.inbox.inboxes import about, chosen, make_device, titles


def test_an_event_told_twice_is_one_notification_and_one_push(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account(name="田中")
    device = make_device(reader)
    for _ in range(2):
        with writing() as tx:
            notify(tx, about(newcomer), [reader])
    assert titles(reader) == ["田中"]
    (owed,) = all_deliveries()
    assert (owed.channel, owed.address_type, owed.address_id) == ("web_push", "device", device)


def test_whoever_did_it_is_never_told(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account()
    with writing() as tx:
        made = notify(tx, about(newcomer, by=reader), [reader])
    assert made == []
    assert titles(reader) == []


def test_line_is_used_only_where_it_was_chosen(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_tutor(), make_account()
    with writing() as tx:
        notify(tx, about(newcomer, key="first"), [reader])
    assert all_deliveries() == []
    chosen(reader, "greetings", "line", True)
    with writing() as tx:
        notify(tx, about(newcomer, key="second"), [reader])
    assert [one.channel for one in all_deliveries()] == ["line"]


def test_a_category_switched_off_for_push_stays_in_the_inbox(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account(name="田中")
    make_device(reader)
    chosen(reader, "greetings", "web_push", False)
    with writing() as tx:
        notify(tx, about(newcomer), [reader])
    assert titles(reader) == ["田中"]
    assert all_deliveries() == []


def test_a_rollback_leaves_neither_notification_nor_delivery(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account()
    make_device(reader)
    with suppress(ZeroDivisionError), writing() as tx:
        notify(tx, about(newcomer), [reader])
        raise ZeroDivisionError
    assert titles(reader) == []
    assert all_deliveries() == []


def test_a_suspended_account_gets_the_notification_and_no_push(app: Flask, kind: Greeting) -> None:
    reader, newcomer = make_account(), make_account(name="田中")
    make_device(reader)
    change(Account, reader, active=False)
    with writing() as tx:
        notify(tx, about(newcomer), [reader])
    assert all_deliveries() == []
    assert titles(reader) == ["田中"]
