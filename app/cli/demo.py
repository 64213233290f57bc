"""`flask demo load`: people, classrooms and shifts to look at, alive again on every day it is loaded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import click
from flask import current_app
from flask.cli import AppGroup
from sqlalchemy import select

from app.accounts.create import create_account
from app.accounts.models import Account, Role
from app.accounts.passwords import hash_password
from app.cli.output import explains_faults
from app.clock import now, slot_of
from app.config import Settings
from app.faults import Fault, InvalidInput
from app.i18n import zone
from app.reach.link import link_line
from app.sources.classroom.csv_file import Named, ShiftFile, ShiftRow
from app.sources.classroom.import_shifts import import_shifts
from app.sources.classroom.listing import is_known
from app.sources.classroom.models import ShiftStatus
from app.transaction import Transaction, writing

demo = AppGroup("demo", help="Data to look at, for a first run.")


@dataclass(frozen=True, slots=True)
class _Person:
    email: str
    name: str
    role: Role
    language: str = "ja"
    password: str | None = None
    line_user_id: str | None = None


PLANNERS = (
    _Person("admin@example.jp", "管理 あおい", Role.ADMIN, password="todoke-admin"),  # noqa: S106  # for demos only
    _Person("staff@example.jp", "受付 みなと", Role.STAFF, password="todoke-staff"),  # noqa: S106
)
HANAKO, TAKESHI, EMMA = TUTORS = (
    _Person("hanako@example.jp", "髙橋 花子", Role.MEMBER, line_user_id=f"U{1:032x}"),
    _Person("takeshi@example.jp", "山﨑 武", Role.MEMBER, line_user_id=f"U{2:032x}"),
    _Person("emma@example.jp", "Emma Brown", Role.MEMBER, "en", line_user_id=f"U{3:032x}"),
)
SHIBUYA, YOKOHAMA = "渋谷教室", "横浜教室"


def demo_sign_ins() -> list[tuple[str, str, str]]:
    """E-mail, password and role of everybody in the demo who may sign in."""
    return [(person.email, person.password, person.role.value) for person in PLANNERS if person.password]


@demo.command("load")
@explains_faults
def load() -> None:
    """Load what is not there yet. Shifts are added once a day, some of them about to start."""
    settings: Settings = current_app.config["SETTINGS"]
    if not settings.sandbox:
        message = "It is set, and the demo must not reach anybody. Unset it to load demo data."
        raise InvalidInput(Fault("LINE_CHANNEL_ACCESS_TOKEN", message))
    hashes = {person.email: hash_password(person.password) for person in PLANNERS if person.password}
    shifts = _shifts(now())
    with writing() as tx:
        people = sum(_add(tx, person, hashes.get(person.email)) for person in (*PLANNERS, *TUTORS))
        fresh = not is_known(tx, shifts[0].external_id)
        if fresh:
            named = [Named(shift.line, shift.tutor_email, shift.classroom) for shift in shifts]
            import_shifts(tx, ShiftFile(shifts, named, ()), create_classrooms=True)
    click.echo(f"Demo data: {people} accounts and {len(shifts) if fresh else 0} shifts were added.")


def _add(tx: Transaction, person: _Person, password_hash: str | None) -> bool:
    """True if this person was not there yet; one who is there is left as they are."""
    if tx.session.scalar(select(Account.id).where(Account.email == person.email)) is not None:
        return False
    account_id = create_account(
        tx, email=person.email, name=person.name, role=person.role, language=person.language,
        password_hash=password_hash,
    )  # fmt: skip
    if person.line_user_id is not None:
        link_line(tx, account_id, person.line_user_id)
    return True
