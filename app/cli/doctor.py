"""`flask doctor`: is this installation well, and if not, what to do."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

import click
from flask import current_app
from flask.cli import with_appcontext
from sqlalchemy import literal, select
from sqlalchemy.exc import SQLAlchemyError

from app import pulse, schema
from app.background.timetable import timetable
from app.cli.demo import demo_is_here
from app.cli.output import emit, json_option
from app.config import INSTANCE, VAPID_FILE, Settings
from app.extensions import broker, db
from app.reach.devices import count_devices
from app.vapid import SOMEBODY


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. `warning` is worth knowing; `fault` keeps deliveries from going out."""

    check: str
    level: Literal["well", "warning", "fault"]
    message: str


@click.command("doctor")
@json_option
@with_appcontext
def doctor(as_json: bool) -> None:
    """Check the database, its migrations, Redis, LINE, Web Push, the workers, the clock and the scans."""
    findings = list(_examine())
    faults = [finding for finding in findings if finding.level == "fault"]
    document = {"well": not faults, "findings": [asdict(finding) for finding in findings]}
    emit(document, as_json, [f"{_MARKS[finding.level]} {finding.check}: {finding.message}" for finding in findings])
    if faults:
        sys.exit(1)


_MARKS = {"well": "✓", "warning": "!", "fault": "✕"}


def _examine() -> Iterator[Finding]:
    database = _database()
    yield database
    yield _redis()
    yield _line()
    yield _push()
    if database.level == "well":
        yield _migrations()
    if database.level == "well" and schema.is_current():
        yield from _demo()
        yield from _devices()
        yield from _processes()
        yield from _scans()


def _database() -> Finding:
    try:
        db.session.execute(select(literal(1)))
    except SQLAlchemyError as error:
        reason = f"does not answer ({type(error).__name__}). Check DATABASE_URL and the server."
        return Finding("database", "fault", reason)
    return Finding("database", "well", f"answers ({db.engine.dialect.name})")


def _migrations() -> Finding:
    if schema.is_current():
        return Finding("migrations", "well", "all applied")
    return Finding("migrations", "fault", "some are not applied. Run: flask db upgrade")


def _redis() -> Finding:
    if broker.answers():
        return Finding("redis", "well", "answers")
    message = "does not answer. What is owed waits; reminders go out without it after two minutes. Check REDIS_URL."
    return Finding("redis", "fault", message)


def _line() -> Finding:
    settings: Settings = current_app.config["SETTINGS"]
    if not settings.reaches_people:
        return Finding("line", "warning", f"messages go to a stand-in at {settings.line_base}, not to people")
    return Finding("line", "well", "a channel access token is set")


def _push() -> Finding:
    """An unreadable key is no finding: with it nothing starts, and says why."""
    settings: Settings = current_app.config["SETTINGS"]
    if not settings.on_this_machine and not settings.base_url.startswith("https://"):
        reason = f"browsers give pushes to https alone, and BASE_URL is {settings.base_url}. Put https in front."
        return Finding("push", "warning", reason)
    if not settings.on_this_machine and settings.push_subject == SOMEBODY:
        reason = "push services are told no contact, and may refuse. Set VAPID_SUBJECT to mailto: and your address."
        return Finding("push", "warning", reason)
    source = "VAPID_PRIVATE_KEY" if settings.vapid_private_key else f"{INSTANCE / VAPID_FILE}"
    return Finding("push", "well", f"the key of {source} is good, the contact is {settings.push_subject}")


def _devices() -> Iterator[Finding]:
    known, outdated = count_devices(current_app.config["VAPID_PUBLIC_KEY"])
    if outdated:
        reason = f"{outdated} of {known} subscribed with another VAPID key, and get nothing until they open Todoke."
        yield Finding("devices", "warning", f"{reason} Put the old key back if it was not changed on purpose.")
    elif known:
        yield Finding("devices", "well", f"{known} take pushes")


def _demo() -> Iterator[Finding]:
    settings: Settings = current_app.config["SETTINGS"]
    if demo_is_here() and (settings.reaches_people or not settings.on_this_machine):
        yield Finding("demo", "fault", "the demo's accounts are here, and their passwords are no secret. Begin anew.")


def _processes() -> Iterator[Finding]:
    for role, missing in (("worker", "nothing is sent"), ("clock", "nothing is handed over or scanned")):
        living = pulse.living(role)
        if living:
            yield Finding(role, "well", f"{len(living)} alive: {', '.join(one.name for one in living)}")
        else:
            yield Finding(role, "fault", f"none was heard from lately: {missing}. Start: python worker.py")


def _scans() -> Iterator[Finding]:
    records = pulse.scans()
    for name in timetable():
        record = records.get(name)
        if record is None or record.started_at is None:
            yield Finding(f"scan {name}", "warning", "has never run. The clock starts it.")
        elif record.error:
            yield Finding(f"scan {name}", "fault", f"broke at {record.started_at:%H:%M}Z: {record.error}. See the log.")
        elif record.overdue:
            yield Finding(f"scan {name}", "fault", f"last ran {record.started_at:%Y-%m-%d %H:%M}Z, and is overdue.")
        else:
            yield Finding(f"scan {name}", "well", f"last ran {record.started_at:%H:%M}Z: {record.figures}")
