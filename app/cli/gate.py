"""`flask gate`: pause a channel or a push host, and resume it."""

import click
from flask.cli import AppGroup

from app.audit import COMMAND_LINE
from app.cli.output import emit, explains_faults, json_option
from app.operations import gates as operations
from app.outbox.queries import Standing, standings
from app.transaction import writing

gate = AppGroup(
    "gate", help="Pause a channel (line, web_push) or a push host (web_push:fcm.googleapis.com), and resume it."
)


@gate.command("list")
@json_option
@explains_faults
def show(as_json: bool) -> None:
    """The gates that are not simply open, and why."""
    found = standings()
    emit([_plain(one) for one in found], as_json, map(_line, found) if found else ["Every gate is open."])


@gate.command("pause")
@click.argument("key")
@click.option("--why", default="", help="For whoever wonders.")
@json_option
@explains_faults
def pause(key: str, why: str, as_json: bool) -> None:
    """Send nothing there until it is resumed. What waits goes on waiting; no try is used."""
    with writing() as tx:
        done = operations.pause(tx, COMMAND_LINE, key, why)
    said = f"{key} is paused." if done else f"{key} was paused already."
    emit({"key": key, "done": done}, as_json, [said])


@gate.command("resume")
@click.argument("key")
@json_option
@explains_faults
def resume(key: str, as_json: bool) -> None:
    """Send there again, whether an operator or the circuit breaker had stopped it."""
    with writing() as tx:
        done = operations.resume(tx, COMMAND_LINE, key)
    emit({"key": key, "done": done}, as_json, [f"{key} is open again." if done else f"{key} was open."])


def _plain(one: Standing) -> dict[str, object]:
    until = one.breaker_until
    return {"key": one.key, "closed": one.closed, "paused_at": one.paused_at, "breaker_until": until, "why": one.why}


def _line(one: Standing) -> str:
    if one.paused_at is not None:
        return f"{one.key}  paused since {one.paused_at:%Y-%m-%d %H:%M}Z  {one.why}".rstrip()
    if one.closed:
        return f"{one.key}  closed by the circuit breaker until {one.breaker_until:%Y-%m-%d %H:%M:%S}Z  {one.why}"
    return f"{one.key}  its next delivery is the probe  {one.why}"
