"""Whether the database has every migration that this code was written for."""

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.config import ROOT
from app.extensions import db

MIGRATIONS: Path = ROOT / "migrations"


def is_current() -> bool:
    """True when nothing is left for `flask db upgrade` to do. Raises OperationalError when the database is away."""
    reached = MigrationContext.configure(db.session.connection()).get_current_heads()
    return set(reached) == set(ScriptDirectory(MIGRATIONS).get_heads())
