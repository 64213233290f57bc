"""`flask demo load`: people, classrooms and shifts to look at, alive again on every day it is loaded."""

import click
from flask import current_app
from flask.cli import AppGroup
from sqlalchemy import select

from app.accounts.create import create_account
from app.accounts.models import Account
from app.accounts.passwords import hash_password
from app.audit import COMMAND_LINE
from app.cli.demo_announcements import add_announcement
from app.cli.demo_data import GROUP_ID, GROUP_NAME, PEOPLE, SHIBUYA, SIGN_INS, YOKOHAMA, Person, shifts_at
from app.cli.demo_stores import load_stores
from app.cli.demo_talks import add_talks
from app.cli.demo_watches import add_watch
from app.cli.output import explains_faults
from app.clock import now
from app.config import Settings
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.reach.groups import add_group
from app.reach.link import link_line
from app.sources.announcements.fan_out import announce
from app.sources.classroom.classroom_settings import change_classroom, classrooms
from app.sources.classroom.imports.csv_file import ShiftFile
from app.sources.classroom.imports.import_shifts import import_shifts
from app.sources.classroom.shifts.listing import is_known
from app.transaction import Transaction, writing

demo = AppGroup("demo", help="Data to look at, for a first run.")


def demo_sign_ins() -> list[tuple[str, str, str]]:
    """E-mail, password and role of everybody in the demo who may sign in."""
    return [(person.email, person.password, person.role.value) for person in SIGN_INS if person.password]


@demo.command("load")
@explains_faults
def load() -> None:
    """Load what is not there yet. Shifts are added once a day; some of them are about to start."""
    _refuse_in_earnest()
    missing = [(person, _hash_of(person)) for person in PEOPLE if not _is_there(person)]
    shifts = shifts_at(now())
    with writing() as tx:
        for person, password_hash in missing:
            _add(tx, person, password_hash)
        added = _import_once(shifts)
        _give_groups(tx)
        load_stores(tx)
        add_talks(tx)
        add_announcement(tx)
        add_watch(tx)
    announce()
    click.echo(f"Demo data: {len(missing)} accounts and {added} shifts were added.")


@demo.command("absent")
@explains_faults
def absent() -> None:
    """Fail if the demo's accounts, whose passwords are no secret, are in this database."""
    if demo_is_here():
        message = "It holds the demo's accounts, whose passwords are no secret. Begin with an empty database."
        raise InvalidInput(Fault("DATABASE_URL", message))


def demo_is_here() -> bool:
    """Whether anybody of the demo may sign in here."""
    emails = [person.email for person in SIGN_INS]
    found = select(Account.id).where(Account.email.in_(emails), Account.active, Account.password_hash.is_not(None))
    return db.session.scalar(found.limit(1)) is not None


def _refuse_in_earnest() -> None:
    settings: Settings = current_app.config["SETTINGS"]
    if settings.reaches_people:
        message = "It is set, and the demo is not for LINE's real users. Unset it to load demo data."
        raise InvalidInput(Fault("LINE_CHANNEL_ACCESS_TOKEN", message))
    if not settings.on_this_machine:
        message = "It is not on this machine, and the demo's passwords are no secret. Unset it to load demo data."
        raise InvalidInput(Fault("BASE_URL", message))


def _is_there(person: Person) -> bool:
    return db.session.scalar(select(Account.id).where(Account.email == person.email)) is not None


def _hash_of(person: Person) -> str | None:
    return hash_password(person.password) if person.password else None


def _add(tx: Transaction, person: Person, password_hash: str | None) -> None:
    account_id = create_account(
        tx, email=person.email, name=person.name, role=person.role, language=person.language,
        password_hash=password_hash,
    )  # fmt: skip
    if person.line_user_id is not None:
        link_line(tx, account_id, person.line_user_id)


def _import_once(shifts: ShiftFile) -> int:
    # Their times hang on the minute of loading: loaded again, they would move, and every tutor be reminded anew.
    if any(row.external_id is not None and is_known(row.external_id) for row in shifts.rows):
        return 0
    return import_shifts(shifts, COMMAND_LINE, create_classrooms=True).added


def _give_groups(tx: Transaction) -> None:
    """A LINE group for the demo's classrooms, so that their tables can be sent to the sandbox."""
    without = [one for one in classrooms() if one.name in (SHIBUYA, YOKOHAMA) and one.group_id is None]
    if without:
        group_id = add_group(tx, GROUP_ID, GROUP_NAME, "ja")
        for one in without:
            change_classroom(tx, COMMAND_LINE, one.id, one.name, group_id)
