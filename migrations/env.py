"""Runs the migrations on the database of this installation."""

from alembic import context
from sqlalchemy import Connection

# Every table must be known here, also those that no page has asked for yet.
from app import audit, pulse  # noqa: F401
from app.accounts import memberships  # noqa: F401
from app.columns import Base, UtcDateTime
from app.extensions import db
from app.operations import bulk_models, issues  # noqa: F401
from app.reach import models  # noqa: F401
from app.sources.stores import models as stores  # noqa: F401


def render_item(kind: str, item: object, _context: object) -> str | bool:
    """A migration must not change when a column type of the app does."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def run(connection: Connection) -> None:
    """Migrate over this connection, in one transaction."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_item=render_item,
        render_as_batch=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


with db.engine.connect() as connection:
    run(connection)
