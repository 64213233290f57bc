"""What the commands print: lines for people, or one JSON document and nothing else on standard output."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec

import click
from sqlalchemy.exc import ProgrammingError

from app.extensions import DATABASE_FAULTS
from app.faults import Fault, InvalidInput

P = ParamSpec("P")

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def emit(document: Any, as_json: bool, lines: Iterable[str]) -> None:
    """Print what came of a command: the document for programs, or the lines for people. Instants become ISO 8601."""
    if as_json:
        click.echo(json.dumps(document, indent=2, default=_plain))
    else:
        for line in lines:
            click.echo(line)


def explains_faults(command: Callable[P, None]) -> Callable[P, None]:
    """End a command with exit code 1 when its input is refused, and say every fault.

    On standard error, a line each; with `--json` as {"errors": [{"field", "line", "message"}]} on standard output.
    """

    @wraps(command)
    def explained(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            command(*args, **kwargs)
        except UnicodeEncodeError:
            _refuse([_NOT_TEXT], as_json)
        except InvalidInput as refused:
            _refuse(refused.faults, as_json)
        except (*DATABASE_FAULTS, ProgrammingError):
            _refuse([_NO_DATABASE], as_json)

    return explained


_NOT_TEXT = Fault("arguments", "They hold bytes that are no UTF-8 text. Type them again.")
_NO_DATABASE = Fault(
    "DATABASE_URL", "The database does not answer or lacks tables. Check it, and run `flask db upgrade`."
)


def _refuse(faults: Sequence[Fault], as_json: bool) -> None:
    if as_json:
        errors = [{"field": fault.field, "line": fault.line, "message": fault.message} for fault in faults]
        emit({"errors": errors}, as_json, [])
        sys.exit(1)
    for fault in faults:
        place = fault.field if fault.line is None else f"line {fault.line}, {fault.field}"
        click.echo(f"{place}: {fault.message}", err=True)
    if any(fault.line is not None for fault in faults):
        click.echo("Nothing was stored.", err=True)
    sys.exit(1)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"no JSON for {type(value).__name__}")
