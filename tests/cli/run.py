"""Running a command as a shell would, and reading what it printed."""

import json
from typing import Any

from click.testing import Result
from flask import Flask

from app.extensions import db


def run(app: Flask, *arguments: str, given: str | None = None) -> Result:
    """`flask …` with these arguments and this standard input; what it raised by mistake is raised here."""
    db.session.rollback()
    return app.test_cli_runner().invoke(args=list(arguments), input=given, catch_exceptions=False)


def document(result: Result) -> Any:
    """The one JSON document on standard output, of a command that went well."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refusal(result: Result) -> list[tuple[int | None, str]]:
    """Line and field of each fault in the JSON of a command whose input was refused."""
    assert result.exit_code == 1
    errors = json.loads(result.stdout)["errors"]
    assert all(error["message"] for error in errors)
    return [(error["line"], error["field"]) for error in errors]
