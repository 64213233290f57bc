"""Who is deleted while their chunk is told leaves nothing in the ledger, whoever came first."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.inbox.models import Notification
from app.operations.deletion import delete_account
from app.sources.announcements.turns import take_turn, tell_chunk
from app.transaction import Transaction, writing
from tests.factories import all_deliveries, make_account
from tests.inbox.inboxes import make_device
from tests.racing import race
from tests.sources.announcements.announced import author, published


@pytest.mark.parametrize("told_first", [True, False])
def test_nothing_is_left_of_who_is_deleted_while_their_chunk_is_told(app: Flask, told_first: bool) -> None:
    who, person = author(), make_account(name="消えた 人")
    make_device(person)
    published(who)
    with writing() as tx:
        turn = take_turn(tx)
    assert turn is not None

    def told(tx: Transaction) -> None:
        tell_chunk(tx, turn, 10)

    def deleted(tx: Transaction) -> None:
        delete_account(tx, who.actor, person)

    db.session.rollback()
    race(app, *((told, deleted) if told_first else (deleted, told)))
    db.session.rollback()
    inboxes = select(Notification.id).where(Notification.account_id == person)
    assert list(db.session.scalars(inboxes)) == []
    assert not any(one.address_label for one in all_deliveries())
