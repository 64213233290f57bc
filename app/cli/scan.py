"""`flask scan`: one run of a scan, in this process."""

import click
from flask.cli import with_appcontext

from app.background.scans import run_now
from app.background.timetable import timetable
from app.cli.output import emit, explains_faults, json_option
from app.faults import Fault, InvalidInput


@click.command("scan")
@click.argument("name", metavar="reminders|announcements|prices|watch|recovery|bulk_retry|roll_up|guests")
@json_option
@explains_faults
@with_appcontext
def scan(name: str, as_json: bool) -> None:
    """Run a scan at once, in this process, and hand over what is due then."""
    known = timetable()
    if name not in known:
        raise InvalidInput(Fault("scan", f"Choose one of: {', '.join(known)}."))
    figures = run_now(known[name])
    sentence = ", ".join(f"{figure} {count}" for figure, count in figures.items())
    emit({"scan": name, "figures": figures}, as_json, [f"{name}: {sentence}"])
