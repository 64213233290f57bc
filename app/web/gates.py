"""The gates: what stands in the way of a channel or a push host, and how an operator closes and opens one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import LazyString, ngettext
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from flask_login import current_user
from werkzeug.wrappers import Response

from app.faults import InvalidInput
from app.operations import gate_list, gates
from app.operations.gate_list import LINE, ListedGate, Stands
from app.outbox import queries
from app.outbox.state import State
from app.transaction import writing
from app.web.delivery_rows import reason_of
from app.web.forms import by_field
from app.web.guards import ADMINS, Pages
from app.web.htmx import wants_part

Answer = Response | str | tuple[str, int]

STANDINGS: dict[Stands, LazyString] = {
    Stands.OPEN: _l("Lets everything through"),
    Stands.PAUSED: _l("Paused"),
    Stands.CLOSED: _l("Closed after repeated trouble"),
    Stands.PROBING: _l("Its next delivery is the test"),
}
_SHAPES = {
    Stands.OPEN: State.SENT, Stands.PAUSED: State.CANCELED, Stands.CLOSED: State.FAILED, Stands.PROBING: State.SENDING,
}  # fmt: skip

pages = Pages("gates", open_to=ADMINS)


@dataclass(frozen=True, slots=True)
class GateRow:
    """One gate. `shape` is the state whose icon and colour its standing takes."""

    key: str
    name: str
    stands: LazyString
    shape: str
    since: datetime | None
    until: datetime | None
    probing: bool
    who: str | None
    why: str
    """The cause, where the breaker closed it; else what whoever paused it said."""
    code: str | None
    waiting: int
    due: int
    may_pause: bool
    may_resume: bool


@dataclass(frozen=True, slots=True)
class ClosedGate:
    """One that lets nothing through; `until` when, if the circuit breaker closed it and no operator."""

    name: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Late:
    """How many of those that wait would be too late after so long a pause."""

    after: timedelta
    number: int


@pages.get("/gates")
def index() -> str:
    """All of them; for a tick only the live part."""
    return _page()


@pages.get("/gates/pause")
def ask_pause() -> Answer:
    """Say what a pause would cost."""
    gate = _get(request.args.get("gate", ""))
    return _ask(gate) if gate.may_pause else _stands_already(gate)


@pages.post("/gates/pause")
def pause() -> Answer:
    """Let nothing through until it is resumed."""
    gate, why = _get(request.form.get("gate", "")), request.form.get("why", "")
    try:
        with writing() as tx:
            done = gates.pause(tx, current_user.actor, gate.key, why)
    except InvalidInput as refused:
        return _ask(gate, why, by_field(refused.faults)), 422
    if not done:
        return _stands_already(gate)
    flash(_("%(gate)s is paused.", gate=gate.name))
    return redirect(url_for("gates.index"), 303)


@pages.get("/gates/resume")
def look() -> Answer:
    """Where somebody goes who reloads the answer to it, or signs in again after it."""
    return redirect(url_for("gates.index"))


@pages.post("/gates/resume")
def resume() -> Answer:
    """Let everything through, whoever closed it."""
    gate = _get(request.form.get("gate", ""))
    with writing() as tx:
        done = gates.resume(tx, current_user.actor, gate.key)
    if not done:
        return _stands_already(gate)
    flash(_("%(gate)s is open again.", gate=gate.name) + " " + going(gate.due))
    return redirect(url_for("gates.index"), 303)


def going(number: int) -> str:
    """What an open gate lets out at once."""
    return str(ngettext("%(num)d delivery goes out at once.", "%(num)d deliveries go out at once.", number))


def closed_gates() -> list[ClosedGate]:
    """What nothing goes through now."""
    return [
        ClosedGate(name_of(gate.key), None if gate.paused_at else gate.breaker_until)
        for gate in queries.standings()
        if gate.closed
    ]


def name_of(key: str) -> str:
    """What a gate is called: the channel, of a push service its host."""
    return "LINE" if key == LINE else key.partition(":")[2] or str(_("All of Web Push"))


def _page(problem: str | None = None) -> str:
    rows = [_row(gate) for gate in gate_list.listed()]
    template = "gates/_live.html" if wants_part() else "gates/index.html"
    return render_template(template, gates=rows, problem=problem, going=going)


def _get(key: str) -> GateRow:
    """404 for what is no gate here: there is nothing behind it."""
    return next((_row(gate) for gate in gate_list.listed() if gate.key == key), None) or abort(404)


def _ask(gate: GateRow, why: str = "", faults: Mapping[str, str] | None = None) -> str:
    late: Sequence[Late] = [Late(after, number) for after, number in gate_list.forecast(gate.key)]
    return render_template("gates/pause.html", gate=gate, late=late, typed={"why": why}, faults=faults or {})


def _stands_already(gate: GateRow) -> tuple[str, int]:
    problem = _(
        "Nothing was done: %(gate)s has changed since you looked at it. This is how it stands now.", gate=gate.name
    )
    return _page(problem), 409


def _row(gate: ListedGate) -> GateRow:
    reason = None if gate.stands is Stands.PAUSED else reason_of(gate.why)
    return GateRow(
        key=gate.key,
        name=name_of(gate.key),
        stands=STANDINGS[gate.stands],
        shape=_SHAPES[gate.stands],
        since=gate.since,
        until=gate.until,
        probing=gate.stands is Stands.PROBING,
        who=gate.who,
        why=str(reason.cause) if reason else gate.why,
        code=gate.why if reason else None,
        waiting=gate.behind.waiting,
        due=gate.behind.due,
        may_pause=gate.stands is not Stands.PAUSED,
        may_resume=gate.stands is not Stands.OPEN,
    )
