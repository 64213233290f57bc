"""Stores with people, and what is said there."""

from collections.abc import Callable, Collection, Sequence
from itertools import count
from threading import Barrier, Thread
from typing import Any, TypeVar

from flask import Flask
from sqlalchemy import delete, select

from app.accounts.memberships import Membership, Post
from app.accounts.models import Account
from app.accounts.stores import Store
from app.audit import Actor
from app.clock import now
from app.extensions import db
from app.kinds import KINDS, Due, FinalVerdict, Notice, Send, Verdict
from app.outbox.models import Delivery
from app.reach.resolve import Reached, Wanted, resolve
from app.sources.conversations import attend, converse, inquire
from app.sources.conversations.inquire import Wording
from app.transaction import Transaction, writing
from tests.factories import all_deliveries

SECRET = "秘密の相談 👩‍👩‍👧‍👦 no one else's"
_numbers = count(1)

T = TypeVar("T")


def make_store(*people: int, name: str = "渋谷店", post: Post = Post.STAFF) -> int:
    """A store where these accounts work, and its id."""
    with writing() as tx:
        store = Store(name=name, created_at=now())
        tx.session.add(store)
        tx.session.flush()
        made = store.id
    for one in people:
        employ(made, one, post)
    return made


def employ(store: int, account: int, post: Post = Post.STAFF) -> None:
    """Somebody begins to work there."""
    with writing() as tx:
        tx.session.add(Membership(store_id=store, account_id=account, post=post, since=now()))


def dismiss(store: int, account: int) -> None:
    """Somebody no longer works there."""
    with writing() as tx:
        part = (Membership.store_id == store) & (Membership.account_id == account)
        tx.session.execute(delete(Membership).where(part))


def wording(text: str = SECRET, mentions: Collection[int] = (), form: str = "") -> Wording:
    """What was typed into a form of its own."""
    return Wording(text, mentions, form or f"form{next(_numbers)}")


def ask(account: int, store: int, *mentions: int, text: str = SECRET, subject: str = "営業時間") -> int:
    """Open an inquiry; its id."""
    with writing() as tx:
        return inquire.open_inquiry(tx, account, store, subject, wording(text, mentions))


def write(account: int, inquiry: int, *mentions: int, text: str = SECRET) -> int:
    """Write into an inquiry; the message's id."""
    with writing() as tx:
        return inquire.write(tx, account, inquiry, wording(text, mentions))


def let_ask(by: int, inquiry: int, account: int) -> None:
    """Let another account ask along."""
    with writing() as tx:
        attend.add_asker(tx, actor(by), inquiry, email_of(account))


def start(account: int, *others: int, text: str = SECRET) -> int:
    """Begin a conversation; its id."""
    emails = [email_of(one) for one in others]
    with writing() as tx:
        return converse.start(tx, account, emails, text, f"form{next(_numbers)}")


def say(account: int, conversation: int, text: str = SECRET) -> int:
    """Write into a conversation; the message's id."""
    with writing() as tx:
        return converse.say(tx, account, conversation, text, f"form{next(_numbers)}")


def do(verb: Callable[..., T], *arguments: Any) -> T:
    """One verb in a transaction of its own."""
    with writing() as tx:
        return verb(tx, *arguments)


def actor(account: int) -> Actor:
    """Who acts."""
    return Actor(account, "somebody")


def email_of(account: int) -> str:
    """Somebody's e-mail address."""
    return db.session.scalars(select(Account.email).where(Account.id == account)).one()


def pushes() -> list[tuple[int | None, str]]:
    """For whom deliveries were made, and of which kind, oldest first."""
    return [(one.account_id, one.kind) for one in all_deliveries()]


def verdict(delivery: Delivery) -> Verdict | FinalVerdict:
    """What the kind would say right before sending."""
    db.session.rollback()
    reached = resolve([Wanted(delivery.id, delivery.address_type, delivery.address_id, delivery.account_id)])
    address = reached[delivery.id]
    assert isinstance(address, Reached)
    due = Due(
        delivery.id, delivery.kind, delivery.channel, delivery.subject_type, delivery.subject_id, None,
        delivery.account_id, delivery.expires_at, address.address, address.language, delivery.notification_id,
    )  # fmt: skip
    return KINDS[delivery.kind].recheck([due])[delivery.id]


def notice(delivery: Delivery) -> Notice:
    """What would be sent."""
    said = verdict(delivery)
    assert isinstance(said, Send)
    assert isinstance(said.message, Notice)
    return said.message


def at_once(app: Flask, times: int, verb: Callable[[Transaction], int]) -> Sequence[int]:
    """The same verb in so many threads at the same moment; what each of them made."""
    together, made = Barrier(times), list[int]()

    def press() -> None:
        with app.app_context():
            together.wait()
            with writing() as tx:
                one = verb(tx)
            made.append(one)

    threads = [Thread(target=press) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db.session.rollback()
    return made
