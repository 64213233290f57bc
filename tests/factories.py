"""Plain helpers that put something into the database, each in a transaction of its own."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any

from sqlalchemy import select, update

from app.accounts import sessions
from app.accounts.create import create_account
from app.accounts.guests import welcome
from app.accounts.models import Account
from app.accounts.passwords import hash_password
from app.clock import now
from app.extensions import db
from app.outbox.enqueue import NewDelivery, enqueue
from app.outbox.models import Delivery
from app.reach.link import link_line
from app.reach.models import LineLink
from app.reach.resolve import LINE_LINK
from app.sources.classroom.models import Classroom, Shift
from app.sources.classroom.shifts.versions import keep_versions
from app.transaction import Transaction, writing

_numbers = count(1)


def make_account(role: str = "member", *, name: str = "佐藤", language: str = "ja", password: str | None = None) -> int:
    """An account, and its id."""
    password_hash = hash_password(password) if password else None
    email = f"account{next(_numbers)}@example.jp"
    with writing() as tx:
        return create_account(
            tx, email=email, name=name, role=role, language=language, password_hash=password_hash
        )  # fmt: skip


def make_guest(language: str = "ja") -> tuple[int, str]:
    """A guest's account id, and the secret of the browser that they are known by."""
    with writing() as tx:
        secret = welcome(tx, language, "", None)
    guest = sessions.load(secret)
    assert guest is not None
    return guest.id, secret


def signed_in(account_id: int, language: str = "ja") -> str:
    """The secret of a browser in which an account that reads this language is signed in."""
    with writing() as tx:
        tx.session.execute(update(Account).where(Account.id == account_id).values(language=language))
        return sessions.begin(tx, account_id, "", None)


def session_of(secret: str) -> int:
    """The session that this secret opens."""
    who = sessions.load(secret)
    assert who is not None
    return who.session_id


def line_user(number: int) -> str:
    """A well-formed LINE user id."""
    return f"U{number:032x}"


def make_tutor(*, name: str = "佐藤", language: str = "ja", line_user_id: str | None = None) -> int:
    """An account with a LINE link, and its id."""
    tutor = make_account(name=name, language=language)
    with writing() as tx:
        link_line(tx, tutor, line_user_id or line_user(tutor))
    return tutor


def make_classroom() -> int:
    """A classroom with a name of its own, and its id."""
    with writing() as tx:
        classroom = Classroom(name=f"渋谷{next(_numbers)}", created_at=now())
        tx.session.add(classroom)
        tx.session.flush()
        return classroom.id


def make_shift(tutor: int, *, starts_in: timedelta = timedelta(hours=2), **changes: Any) -> int:
    """A confirmed shift of three hours, and its id."""
    at, classroom = now(), make_classroom()
    with writing() as tx:
        values: dict[str, Any] = {
            "tutor_id": tutor, "classroom_id": classroom, "starts_at": at + starts_in,
            "ends_at": at + starts_in + timedelta(hours=3), "status": "confirmed", "version": 1, "note": "",
            "created_at": at, "updated_at": at,
        }  # fmt: skip
        shift = Shift(**values | changes)
        tx.session.add(shift)
        tx.session.flush()
        keep_versions(tx, [shift.id])
        return shift.id


def owe(tx: Transaction, tutor: int, *, kind: str = "probe", **changes: Any) -> int:
    """A delivery to this tutor's LINE link, in the caller's transaction, and its id."""
    values: dict[str, Any] = {
        "kind": kind, "channel": "line", "dedup_key": f"{kind}:{next(_numbers)}", "subject_type": "probe",
        "subject_id": next(_numbers), "subject_version": 1, "account_id": tutor, "address_type": LINE_LINK,
        "address_id": _link_of(tutor), "address_label": "佐藤", "scope": None, "gate_key": "line", "expires_at": None,
    }  # fmt: skip
    return enqueue(tx, [NewDelivery(**values | changes)])[0]


def owe_many(tx: Transaction, tutor: int, number: int, *, kind: str = "probe") -> list[int]:
    """So many deliveries to this tutor's LINE link, in the caller's transaction, and their ids."""
    link = _link_of(tutor)
    return enqueue(
        tx,
        [
            NewDelivery(
                kind, "line", f"{kind}:{next(_numbers)}", "probe", next(_numbers), 1, tutor, LINE_LINK, link, "佐藤",
                None, "line", None,
            )
            for _ in range(number)
        ],
    )  # fmt: skip


def make_delivery(tutor: int | None = None, **changes: Any) -> int:
    """A delivery that is owed, and its id. After the commit it is handed over if Redis answers."""
    tutor = tutor or make_tutor()
    with writing() as tx:
        return owe(tx, tutor, **changes)


def delivery(delivery_id: int) -> Delivery:
    """The delivery as it stands in the database now."""
    db.session.rollback()
    found = db.session.get(Delivery, delivery_id, populate_existing=True)
    assert found is not None
    return found


def all_deliveries() -> list[Delivery]:
    """Every delivery as it stands in the database now, oldest first."""
    db.session.rollback()
    return list(db.session.scalars(select(Delivery).order_by(Delivery.id).execution_options(populate_existing=True)))


def only_delivery() -> Delivery:
    """The one delivery that there is."""
    (found,) = all_deliveries()
    return found


def change(table: type, row_id: int, **values: Any) -> None:
    """Set columns of one row, as if something had happened long ago or behind our back."""
    with writing() as tx:
        row = tx.session.get(table, row_id)
        assert row is not None
        for column, value in values.items():
            setattr(row, column, value)


def soon(minutes: float) -> datetime:
    """The instant so many minutes from now."""
    return now() + timedelta(minutes=minutes)


def _link_of(tutor: int) -> int:
    link = db.session.scalar(select(LineLink.id).where(LineLink.account_id == tutor))
    assert link is not None
    return link
