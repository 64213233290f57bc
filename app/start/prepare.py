"""Brings the database up to date and puts the demo data in, with the same commands a person would type."""

import subprocess
import sys
from pathlib import Path

from app.start.error import StartError


def migrate(root: Path) -> None:
    """`flask db upgrade`. Raises StartError with what it said when it failed."""
    _flask(root, "db", "upgrade")


def load_demo(root: Path) -> None:
    """`flask demo load`, which does nothing the second time. Raises StartError with what it said when it failed."""
    _flask(root, "demo", "load")


def refuse_demo(root: Path) -> None:
    """`flask demo absent`. Raises StartError with what it said when the demo's accounts are there."""
    _flask(root, "demo", "absent")


def _flask(root: Path, *words: str) -> None:
    command = [sys.executable, "-m", "flask", "--app", "wsgi", *words]
    done = subprocess.run(  # noqa: S603  # a command of our own
        command, cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode != 0:
        raise StartError(
            f"{done.stdout.rstrip()}\n\nPreparing failed in `flask {' '.join(words)}`: its words are above."
        )
