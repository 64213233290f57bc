"""`flask deliveries`: one look, one act, for people and for programs."""

import json

import pytest
from flask import Flask

from app.audit import entries
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.cli.run import document, run
from tests.factories import change, delivery, make_delivery
from tests.fakes.kind import Probe


@pytest.fixture
def failed(app: Flask, probe: Probe) -> int:
    """A delivery that LINE may have accepted, and whose key is still good."""
    owed = make_delivery()
    change(Delivery, owed, state=State.FAILED, failure_code="LINE_TIMEOUT", key_ambiguous=True, dead_letter=True)
    return owed


def test_list_prints_an_array_of_the_columns(app: Flask, failed: int) -> None:
    other = make_delivery()
    listed = document(run(app, "deliveries", "list", "--json"))
    assert [one["id"] for one in listed] == [other, failed]
    assert {"state", "failure_code", "retry_key", "dedup_key", "next_attempt_at"} <= listed[0].keys()
    assert not {"frozen_request", "lease_token"} & listed[0].keys()
    for option in ("--state=failed", "--code=LINE_TIMEOUT", "--dead-letter"):
        assert [one["id"] for one in document(run(app, "deliveries", "list", option, "--json"))] == [failed]
    assert document(run(app, "deliveries", "list", "--kind=shift_reminder", "--json")) == []


def test_an_unknown_code_is_named_with_those_there_are(app: Flask) -> None:
    result = run(app, "deliveries", "list", "--code", "NO_SUCH_CODE")
    assert result.exit_code == 1
    assert "LINE_TIMEOUT" in result.stderr


def test_show_tells_every_attempt_and_act(app: Flask, failed: int) -> None:
    shown = document(run(app, "deliveries", "show", str(failed), "--json"))
    assert (shown["id"], shown["state"], shown["timeline"], shown["acts"]) == (failed, "failed", [], [])
    assert "LINE did not answer in time" in run(app, "deliveries", "show", str(failed)).stdout


def test_retry_sends_again_and_is_audited(app: Flask, failed: int) -> None:
    (result,) = document(run(app, "deliveries", "retry", str(failed), "--json"))
    assert (result["id"], result["done"]) == (failed, True)
    assert delivery(failed).state in (State.PENDING, State.QUEUED)
    assert [entry.actor_name for entry in entries("delivery", failed)] == ["command line"]


def test_a_new_key_that_may_double_a_message_demands_a_yes(app: Flask, failed: int) -> None:
    refused = run(app, "deliveries", "retry", str(failed), "--rotate-key", "--json")
    assert refused.exit_code == 1
    assert "--yes" in json.loads(refused.stdout)[0]["message"]
    assert delivery(failed).state == State.FAILED
    assert document(run(app, "deliveries", "retry", str(failed), "--rotate-key", "--yes", "--json"))[0]["done"]


def test_one_that_cannot_be_helped_keeps_nobody(app: Flask, failed: int) -> None:
    result = run(app, "deliveries", "retry", "404", str(failed), "--json")
    assert result.exit_code == 1
    assert [one["done"] for one in json.loads(result.stdout)] == [False, True]


def test_cancel_stops_owing_it_and_only_once(app: Flask, probe: Probe) -> None:
    owed = make_delivery()
    assert run(app, "deliveries", "cancel", str(owed)).exit_code == 0
    again = run(app, "deliveries", "cancel", str(owed))
    assert again.exit_code == 1
    assert "canceled" in again.stdout


@pytest.mark.parametrize("act", ["show", "retry", "cancel"])
@pytest.mark.parametrize("wrong", ["0", "-1", "x", "9" * 30])
def test_an_id_that_is_none_is_refused_in_a_sentence(app: Flask, act: str, wrong: str) -> None:
    result = run(app, "deliveries", act, "--", wrong)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("act", ["retry", "cancel"])
def test_why_is_kept_and_shown(app: Flask, probe: Probe, act: str) -> None:
    owed = make_delivery()
    change(Delivery, owed, state=State.RETRY)
    assert run(app, "deliveries", act, str(owed), "--why", "he called").exit_code == 0
    assert [entry.why for entry in entries("delivery", owed)] == ["he called"]
    assert f"{act} by command line  he called" in run(app, "deliveries", "show", str(owed)).stdout


def test_why_that_is_too_long_is_refused_before_anything_is_done(app: Flask, failed: int) -> None:
    refused = run(app, "deliveries", "retry", str(failed), "--why", "x" * 301)
    assert (refused.exit_code, "these are 301" in refused.stderr) == (1, True)
    assert delivery(failed).state == State.FAILED
