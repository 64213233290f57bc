"""`flask gate`: pause, list, resume."""

import json

import pytest
from flask import Flask

from tests.cli.run import run


def test_a_gate_is_paused_listed_and_resumed(sqlite_app: Flask) -> None:
    assert run(sqlite_app, "gate", "list").stdout == "Every gate is open.\n"
    assert run(sqlite_app, "gate", "pause", "line", "--why", "holidays").stdout == "line is paused.\n"
    assert run(sqlite_app, "gate", "pause", "line").stdout == "line was paused already.\n"
    assert "holidays" in run(sqlite_app, "gate", "list").stdout
    (listed,) = json.loads(run(sqlite_app, "gate", "list", "--json").stdout)
    assert (listed["key"], listed["closed"], listed["why"], listed["breaker_until"]) == ("line", True, "holidays", None)
    assert json.loads(run(sqlite_app, "gate", "resume", "line", "--json").stdout) == {"key": "line", "done": True}
    assert run(sqlite_app, "gate", "resume", "line").stdout == "line was open.\n"


@pytest.mark.parametrize("key", ["lime", "web_push:", "", "line:x"])
def test_what_is_no_gate_is_refused(sqlite_app: Flask, key: str) -> None:
    refused = run(sqlite_app, "gate", "pause", key)
    assert (refused.exit_code, "A gate is line" in refused.stderr) == (1, True)
