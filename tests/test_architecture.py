"""The nine rules of DESIGN.md section 3, and the arrows of its diagram."""

from collections.abc import Iterable

import pytest

from tests.architecture.calls import (
    dice_are_thrown_in_tokens,
    only_writing_commits,
    states_are_written_in_the_ledger_alone,
    time_comes_from_the_clock,
)
from tests.architecture.code import Breach, Check, Module, house
from tests.architecture.imports import (
    each_part_keeps_to_its_trade,
    few_know_rq,
    no_import_inside_a_function,
    pages_and_commands_never_send,
    sources_and_channels_are_known_by_their_registries,
)
from tests.architecture.layers import arrows_point_down
from tests.architecture.templates import house_templates, templates_get_values

LONGEST_FILE = 300


def test_arrows_point_down_only() -> None:
    _hold(arrows_point_down)


def test_rule_1_no_import_hides_inside_a_function() -> None:
    _hold(no_import_inside_a_function)


def test_rule_2_sources_and_channels_are_known_only_by_their_registries() -> None:
    _hold(sources_and_channels_are_known_by_their_registries)


def test_rule_3_channels_outbox_and_sources_keep_to_their_trade_and_http_goes_through_http_py() -> None:
    _hold(each_part_keeps_to_its_trade)


def test_rule_4_rq_appears_only_where_jobs_are_made_and_run() -> None:
    _hold(few_know_rq)


def test_rule_5_pages_and_commands_neither_send_nor_move_the_ledger() -> None:
    _hold(pages_and_commands_never_send)


def test_rule_6_a_state_is_written_by_the_verbs_of_the_ledger_alone() -> None:
    _hold(states_are_written_in_the_ledger_alone)


def test_rule_7_nothing_commits_but_writing() -> None:
    _hold(only_writing_commits)


def test_rule_8_time_comes_from_the_clock_and_dice_from_tokens() -> None:
    _hold(time_comes_from_the_clock, dice_are_thrown_in_tokens)


def test_rule_9_templates_get_values() -> None:
    _none(breach for path, text in house_templates() for breach in templates_get_values(path, text))


def test_no_file_is_longer_than_300_lines() -> None:
    long = [(module.path, module.source.count("\n")) for module in house()]
    _none(Breach(path, lines, "too long: split it by noun") for path, lines in long if lines > LONGEST_FILE)


BREACHES: list[tuple[Check, str, str]] = [
    (arrows_point_down, "app/outbox/x.py", "from app.engine.deliver import deliver"),
    (arrows_point_down, "app/outbox/x.py", "from app.reach.resolve import resolve"),
    (arrows_point_down, "app/outbox/x.py", "import app.channels.outcome"),
    (arrows_point_down, "app/clock.py", "from app.accounts.models import Role"),
    (arrows_point_down, "app/clock.py", "from app import accounts"),
    (arrows_point_down, "app/engine/x.py", "from app.sources.classroom import models"),
    (arrows_point_down, "app/sources/classroom/x.py", "from app.engine import backoff"),
    (arrows_point_down, "app/sources/stores/x.py", "from app.sources.classroom.models import Shift"),
    (arrows_point_down, "app/sources/stores/x.py", "from app.sources import register"),
    (arrows_point_down, "app/web/x.py", "from app.background.scans import run_now"),
    (arrows_point_down, "app/background/jobs.py", "from app import create_app"),
    (arrows_point_down, "app/cli/x.py", "from app import create_app"),
    (arrows_point_down, "app/sandbox/x.py", "from app.tokens import retry_key"),
    (arrows_point_down, "app/web/x.py", "from app.sandbox import create_sandbox"),
    (arrows_point_down, "app/web/x.py", "from ..outbox import queries"),
    (arrows_point_down, "app/helpers.py", "x = 1"),
    (no_import_inside_a_function, "app/web/x.py", "def view():\n    from app.outbox import queries"),
    (no_import_inside_a_function, "app/__init__.py", "def other():\n    import app.web"),
    (no_import_inside_a_function, "app/web/x.py", "class A:\n    def b(self):\n        import rq"),
    (sources_and_channels_are_known_by_their_registries, "app/engine/x.py", "import app.sources"),
    (sources_and_channels_are_known_by_their_registries, "app/inbox/x.py", "from app.sources.classroom import KINDS"),
    (
        sources_and_channels_are_known_by_their_registries,
        "app/engine/x.py",
        "from app.channels.line import LineChannel",
    ),
    (sources_and_channels_are_known_by_their_registries, "app/operations/x.py", "from app.channels.line import flex"),
    (sources_and_channels_are_known_by_their_registries, "app/web/x.py", "KINDS['mine'] = kind"),
    (sources_and_channels_are_known_by_their_registries, "app/sources/classroom/x.py", "SCANS['mine'] = scan"),
    (each_part_keeps_to_its_trade, "app/channels/line/x.py", "from sqlalchemy import select"),
    (each_part_keeps_to_its_trade, "app/channels/line/x.py", "from app.extensions import db"),
    (each_part_keeps_to_its_trade, "app/outbox/x.py", "from flask import request"),
    (each_part_keeps_to_its_trade, "app/outbox/x.py", "from app import http"),
    (each_part_keeps_to_its_trade, "app/outbox/x.py", "import rq"),
    (each_part_keeps_to_its_trade, "app/sources/classroom/x.py", "from app.channels.line import LineChannel"),
    (each_part_keeps_to_its_trade, "app/sources/classroom/x.py", "from app.channels import CHANNELS"),
    (each_part_keeps_to_its_trade, "app/web/x.py", "import requests"),
    (each_part_keeps_to_its_trade, "app/cli/x.py", "from http import client"),
    (each_part_keeps_to_its_trade, "app/bounds.py", "from urllib3.util import Timeout"),
    (each_part_keeps_to_its_trade, "app/web/x.py", "from pywebpush import webpush"),
    (few_know_rq, "app/operations/x.py", "from rq import Queue"),
    (few_know_rq, "app/engine/deliver.py", "import rq.job"),
    (pages_and_commands_never_send, "app/web/x.py", "from app.outbox.transitions import cancel"),
    (pages_and_commands_never_send, "app/web/x.py", "from app.outbox import enqueue"),
    (pages_and_commands_never_send, "app/cli/x.py", "from app.engine.deliver import deliver"),
    (pages_and_commands_never_send, "app/web/x.py", "CHANNELS['line'].send(body, key)"),
    (states_are_written_in_the_ledger_alone, "app/operations/x.py", "delivery.state = State.SENT"),
    (states_are_written_in_the_ledger_alone, "app/engine/x.py", "update(Delivery).values(state='sent')"),
    (states_are_written_in_the_ledger_alone, "app/engine/x.py", "tx.insert(models.Delivery)"),
    (states_are_written_in_the_ledger_alone, "app/engine/x.py", "setattr(row, 'state', 'sent')"),
    (states_are_written_in_the_ledger_alone, "app/engine/x.py", "Delivery(kind='x')"),
    (states_are_written_in_the_ledger_alone, "app/cli/x.py", "text('UPDATE delivery SET attempts = 0')"),
    (only_writing_commits, "app/web/x.py", "db.session.commit()"),
    (only_writing_commits, "app/web/x.py", "with db.session.begin():\n    pass"),
    (only_writing_commits, "app/cli/x.py", "with db.engine.begin() as connection:\n    pass"),
    (only_writing_commits, "app/outbox/x.py", "tx.session.begin_nested()"),
    (time_comes_from_the_clock, "app/web/x.py", "from datetime import datetime\ndatetime.now()"),
    (time_comes_from_the_clock, "app/web/x.py", "import datetime\ndatetime.datetime.utcnow()"),
    (time_comes_from_the_clock, "app/web/x.py", "from datetime import date\ndate.today()"),
    (time_comes_from_the_clock, "app/web/x.py", "import time\ntime.time()"),
    (time_comes_from_the_clock, "app/web/x.py", "from time import monotonic"),
    (time_comes_from_the_clock, "app/web/x.py", "select(func.now())"),
    (dice_are_thrown_in_tokens, "app/web/x.py", "import secrets"),
    (dice_are_thrown_in_tokens, "app/web/x.py", "from random import choice"),
    (dice_are_thrown_in_tokens, "app/web/x.py", "from uuid import uuid4"),
    (dice_are_thrown_in_tokens, "app/web/x.py", "import uuid\nuuid.uuid4()"),
    (dice_are_thrown_in_tokens, "app/web/x.py", "import os\nos.urandom(8)"),
]


@pytest.mark.parametrize(("check", "path", "source"), BREACHES)
def test_a_breach_of_a_rule_is_seen(check: Check, path: str, source: str) -> None:
    assert list(check(Module(path, source)))


KEPT: list[tuple[Check, str, str]] = [
    (arrows_point_down, "app/engine/x.py", "from app import audit\nfrom app.outbox import queries"),
    (arrows_point_down, "app/background/pool.py", "from app import create_app"),
    (arrows_point_down, "app/web/x.py", "if TYPE_CHECKING:\n    from app import create_app"),
    (arrows_point_down, "app/sandbox/x.py", "from app.config import ROOT\nfrom app.sandbox.store import Store"),
    (
        sources_and_channels_are_known_by_their_registries,
        "app/engine/x.py",
        "from app.channels.outcome import Accepted",
    ),
    (each_part_keeps_to_its_trade, "app/sources/classroom/x.py", "from app.channels.line.flex import FlexMessage"),
    (each_part_keeps_to_its_trade, "app/web/x.py", "from http import HTTPStatus"),
    (pages_and_commands_never_send, "app/cli/x.py", "from app.background.scans import run_now"),
    (pages_and_commands_never_send, "app/web/x.py", "from app.outbox.queries import page"),
    (states_are_written_in_the_ledger_alone, "app/web/x.py", "facts = {'state': delivery.state}"),
    (only_writing_commits, "app/engine/x.py", "transitions.begin(tx, requests)"),
    (time_comes_from_the_clock, "app/web/x.py", "from app import i18n\ni18n.time(at)\nfrom time import sleep"),
    (dice_are_thrown_in_tokens, "app/web/x.py", "from uuid import UUID"),
]


@pytest.mark.parametrize(("check", "path", "source"), KEPT)
def test_what_a_rule_allows_is_left_alone(check: Check, path: str, source: str) -> None:
    assert not list(check(Module(path, source)))


@pytest.mark.parametrize(
    "text",
    [
        "{{ db.session }}",
        "{% for row in delivery.query.all() %}{% endfor %}",
        "{{ session.execute(statement) }}",
        "{% if delivery.expires_at < now() %}late{% endif %}",
        "{% if count - shown > 0 %}more{% endif %}",
        "{% if delivery.state in ('failed', 'retry') %}<button>{% endif %}",
        "{{ 'many' if unread > 99 else unread }}",
        "{% if a and b and c and d %}x{% endif %}",
    ],
)
def test_a_template_that_asks_or_decides_is_seen(text: str) -> None:
    assert list(templates_get_values("templates/x.html", text))


def test_a_template_that_shows_values_is_left_alone() -> None:
    text = (
        "{% if rows %}{% for row in rows %}{{ loop.index + 1 }} {{ _('Sent') }} {{ row.label }}{% endfor %}{% endif %}"
    )
    assert not list(templates_get_values("templates/x.html", text))


def _hold(*checks: Check) -> None:
    _none(breach for module in house() for check in checks for breach in check(module))


def _none(breaches: Iterable[Breach]) -> None:
    found = "\n".join(str(breach) for breach in breaches)
    assert not found, f"DESIGN.md section 3 is broken:\n{found}"
