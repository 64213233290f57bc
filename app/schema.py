"""Whether the database has every migration that this code was written for."""

from functools import cache
from pathlib import Path

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.config import ROOT
from app.extensions import db

MIGRATIONS: Path = ROOT / "migrations"


def is_current() -> bool:
    """True when nothing is left for `flask db upgrade` to do. Raises OperationalError when the database is away."""
    reached = MigrationContext.configure(db.session.connection()).get_current_heads()
    return set(reached) == _heads()


@cache
def _heads() -> frozenset[str]:
    # Read once: every migration is a file to import, and /readyz asks often.
    return frozenset(ScriptDirectory(MIGRATIONS).get_heads())
