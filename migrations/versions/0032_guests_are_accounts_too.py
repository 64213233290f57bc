"""A guest is an account, too: one that is known by a browser alone."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

BEFORE = "role IN ('admin', 'staff', 'member')"
AFTER = "role IN ('admin', 'staff', 'member', 'guest')"


def upgrade() -> None:
    _replace(BEFORE, AFTER)


def downgrade() -> None:
    # A guest whom somebody made a member would be an account that nobody signs in to: suspended, it is told nothing.
    op.execute("UPDATE account SET role = 'member', active = false WHERE role = 'guest'")
    _replace(AFTER, BEFORE)


def _replace(condition: str, by: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint(op.f("ck_account_role"), "account", type_="check")
        op.create_check_constraint(op.f("ck_account_role"), "account", sa.text(by))
        return
    # Half the tables refer to accounts: a copy cannot take the place of this table. A condition says nothing of what is
    # stored, and for such SQLite has a procedure: https://www.sqlite.org/lang_altertable.html#otheralter
    bind = op.get_bind()
    version = bind.exec_driver_sql("PRAGMA schema_version").scalar_one()
    bind.exec_driver_sql("PRAGMA writable_schema = ON")
    bind.exec_driver_sql(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'account'", (condition, by)
    )
    bind.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    bind.exec_driver_sql("PRAGMA writable_schema = OFF")
