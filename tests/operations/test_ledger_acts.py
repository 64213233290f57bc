"""The list of acts: newest first, in pages that neither skip nor repeat, by what they were and by whom."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask

from app import audit
from app.audit import Actor
from app.operations.ledger_acts import Wanted, page
from app.place import Place
from app.transaction import writing
from tests.factories import make_account
from tests.plans import hearing, plan_of

TYPES = ("delivery", "gate")
NOON = datetime(2026, 11, 30, 3, tzinfo=UTC)


@pytest.fixture
def people(app: Flask) -> list[Actor]:
    """Two people, each with acts on ten deliveries and a gate, all at the same instant; and one account act."""
    both = [Actor(make_account("admin", name=name), name) for name in ("青木", "井上")]
    with time_machine.travel(NOON, tick=False), writing() as tx:
        for actor in both:
            for delivery_id in range(1, 11):
                audit.note(tx, actor, "retry", ("delivery", delivery_id), {"why": "LINE is well again"})
            audit.note(tx, actor, "pause_gate", ("gate", 0), {"gate": "line"})
            audit.note(tx, actor, "suspend", ("account", 1))
    with time_machine.travel(NOON + timedelta(days=2), tick=False), writing() as tx:
        audit.note(tx, both[0], "cancel", ("delivery", 3))
    return both


def walk(wanted: Wanted, size: int = 4) -> list[tuple[str, int]]:
    """Every page, as (act, subject's id)."""
    found: list[tuple[str, int]] = []
    ids: list[int] = []
    after: Place | None = None
    while True:
        shown = page(wanted, after, size)
        found += [(entry.act, entry.subject_id) for entry in shown.entries]
        ids += [entry.id for entry in shown.entries]
        after = shown.next
        if after is None:
            assert len(ids) == len(set(ids)), "nothing twice"
            return found


def test_all_acts_on_the_ledger_are_listed_newest_first_and_once(people: list[Actor]) -> None:
    found = walk(Wanted(TYPES))
    assert len(found) == 23
    assert found[0] == ("cancel", 3)
    assert {act for act, _ in found} == {"retry", "pause_gate", "cancel"}
    assert walk(Wanted(TYPES), size=23) == found


def test_they_are_narrowed_by_act_person_subject_and_day(people: list[Actor]) -> None:
    first, second = (actor.account_id for actor in people)
    assert len(walk(Wanted(TYPES, act="retry"))) == 20
    assert len(walk(Wanted(TYPES, who=first))) == 12
    assert len(walk(Wanted(TYPES, who=second, act="retry"))) == 10
    assert walk(Wanted(TYPES, subject=("delivery", 3))) == [("cancel", 3), ("retry", 3), ("retry", 3)]
    assert walk(Wanted(TYPES, subject=("delivery", 3), who=second)) == [("retry", 3)]
    assert walk(Wanted(TYPES, since=NOON + timedelta(seconds=1))) == [("cancel", 3)]
    assert len(walk(Wanted(TYPES, before=NOON + timedelta(seconds=1)))) == 22
    assert walk(Wanted(TYPES, act="suspend")) == []


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(TYPES),
        Wanted(TYPES, act="retry"),
        Wanted(TYPES, who=1),
        Wanted(TYPES, who=1, act="cancel"),
        Wanted(TYPES, subject=("delivery", 3)),
        Wanted(TYPES, since=NOON, before=NOON),
    ],
    ids=["all", "act", "who", "who and act", "subject", "days"],
)
@pytest.mark.parametrize("after", [None, Place(NOON, 7)], ids=["first", "next"])
def test_a_page_takes_two_questions_and_an_index_answers_each(
    app: Flask, people: list[Actor], wanted: Wanted, after: Place | None
) -> None:
    with hearing() as heard:
        page(wanted, after, 4)
    assert len(heard) == 2
    if app.config["SETTINGS"].database_url.startswith("sqlite"):  # PostgreSQL reads small tables as a whole
        plans = [plan_of(*asked) for asked in heard]
        assert not [plan for plan in plans if "SCAN audit_entry" in plan], plans
        inner = plans[0].replace("USE TEMP B-TREE FOR ORDER BY", "", 1)
        assert wanted.subject or "TEMP B-TREE FOR ORDER BY" not in inner, plans[0]
