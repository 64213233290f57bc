"""How the databases go about the lists and figures of a large ledger: by an index, in a fixed number of statements."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from flask import Flask

from app.background.rolling import roll_up
from app.clock import now
from app.outbox import figures, listing
from app.outbox.listing import Filter
from app.outbox.state import State
from app.place import Place
from benchmarks import ledger_rows
from benchmarks.ledger_rows import CHANNELS, CODES, GROUP, KINDS, PERSON, REASONS, SCOPE, SUBJECT
from tests.plans import hearing, plan_of

MANY = 30_000
FEW = r" USING (COVERING )?INDEX ix_delivery_(dead_letter|in_the_way)"
THROUGH = re.compile(rf"(SCAN|Seq Scan on) (delivery|attempt)\b(?!{FEW})")
"""SQLite says so as well of going along an index of few rows from its beginning."""

FILTERS: dict[str, tuple[str, Filter]] = {
    "everything": ("ix_delivery_state_created", Filter()),
    **{f"all that is {state}": ("ix_delivery_state_created", Filter(state=state)) for state in State},
    "a period": ("ix_delivery_state_created", Filter(created_from=now() - timedelta(days=9), created_before=now())),
    "a kind": ("ix_delivery_kind", Filter(kind=KINDS[3])),
    "a channel": ("ix_delivery_channel", Filter(channel=CHANNELS[1])),
    "what nothing goes over": ("ix_delivery_channel", Filter(channel="webhook")),
    "a code": ("ix_delivery_code", Filter(code=CODES[1])),
    "a reason": ("ix_delivery_canceled", Filter(code=REASONS[1])),
    "a scope": ("ix_delivery_scope", Filter(scope=SCOPE)),
    "dead letters": ("ix_delivery_dead_letter", Filter(dead_letter=True)),
    "a person": ("ix_delivery_account", Filter(account_id=PERSON)),
    "a group": ("ix_delivery_group", Filter(group_id=GROUP)),
    "a subject": ("ix_delivery_subject", Filter(subject=SUBJECT)),
    "all at once": (
        "ix_delivery_account",
        Filter("sent", KINDS[0], None, CHANNELS[0], SCOPE, PERSON, created_from=now() - timedelta(days=9)),
    ),
    "an id or a key's tail": ("ix_delivery_key_tail", Filter(search="100007")),
    "a whole key": ("ix_delivery_key_tail", Filter(search="00000000-0000-4000-8000-000000100007")),
    "a request id": ("ix_attempt_provider_request_id", Filter(search="request-7")),
    "a request id that was accepted": ("ix_delivery_accepted_id", Filter(search="request-7", kind=KINDS[0])),
}
"""What is looked for, and the index that the database then goes by."""

QUESTIONS: dict[str, tuple[int, Callable[[], object]]] = {
    "the states": (3, listing.counts),
    "the failures": (1, listing.failures),
    "why what was owed this week was not sent": (1, lambda: listing.rightly_not_sent(now() - timedelta(days=7))),
    "the hours of a week": (3, lambda: figures.last_hours(168)),
    "an announcement's progress": (1, lambda: listing.counts_about(SUBJECT, 1)),
}
"""Figures, and how many statements they take."""


@pytest.fixture(scope="module")
def years(ledger_app: Flask) -> Flask:
    """A ledger with a month of deliveries, counted by the hour; for all tests of this file."""
    with ledger_app.app_context():
        ledger_rows.fill(MANY)
        roll_up()
    return ledger_app


def test_every_list_goes_along_the_index_of_what_is_looked_for(years: Flask) -> None:
    with years.app_context():
        here = Place(now() - timedelta(days=5), 5)
        for name, (index, wanted) in FILTERS.items():
            _asks(name, 1, index, partial(listing.page, wanted, None, 50))
            _asks(name, 1, index, partial(listing.page, wanted, here, 50, oldest_first=True))
            _asks(name, 1, index, partial(listing.new_since, wanted, here))
            if replace(wanted, state=None) != Filter():
                _asks(name, 1, index, partial(listing.counts, wanted))


def test_the_figures_take_a_fixed_number_of_statements_and_never_go_through_everything(years: Flask) -> None:
    with years.app_context():
        for name, (number, ask) in QUESTIONS.items():
            _asks(name, number, "ix_delivery", ask)


def _asks(name: str, number: int, index: str, ask: Callable[[], object]) -> None:
    with hearing() as heard:
        ask()
    assert len(heard) == number, name
    plans = "\n".join(plan_of(*one) for one in heard)
    assert index in plans, f"{name}:\n{plans}"
    assert not THROUGH.search(plans), f"{name}:\n{plans}"
