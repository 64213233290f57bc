"""The token of an invitation can be made again of a salt, and its id is never given again."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("invitation", **_made_anew(autoincrement=True)) as invitation:
        invitation.add_column(sa.Column("salt", sa.String(length=32), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("invitation", **_made_anew(autoincrement=False)) as invitation:
        invitation.drop_column("salt")


def _made_anew(*, autoincrement: bool) -> dict[str, Any]:
    # SQLite knows AUTOINCREMENT only of a table that is created with it; PostgreSQL never gives an id again.
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    kept = {"sqlite_autoincrement": autoincrement}
    return {"recreate": "always" if on_sqlite else "never", "table_kwargs": kept}
