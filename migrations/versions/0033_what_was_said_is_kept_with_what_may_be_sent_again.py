"""What was said is kept with what may be sent again; an item is known by its currency, too, and since when it fails."""

from collections.abc import Iterator
from contextlib import contextmanager

# ruff: noqa: S608  # only names of tables and columns that stand in this file come into its statements
import sqlalchemy as sa
from alembic import op

from app.columns import Amount, UtcDateTime

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

OF_ITEMS = ("said", "finding", "observation", "watch")
"""In the order in which they can go."""
OLD, NEW = ["url", "price_path", "stock_path"], ["url", "price_path", "stock_path", "named_currency"]


def upgrade() -> None:
    op.add_column("delivery", sa.Column("frozen_note", sa.Text(), nullable=True))
    for column in (sa.Column("target", Amount()), sa.Column("percent", sa.Integer()), sa.Column("baseline", Amount())):
        op.add_column("said", column)
        op.execute(
            f"UPDATE said SET {column.name} = (SELECT watch.{column.name} FROM finding"
            " JOIN watch ON watch.id = finding.watch_id WHERE finding.id = said.finding_id)"
        )
    op.drop_column("finding", "price")
    op.drop_column("finding", "found_at")
    op.drop_column("watch", "last_notified_trigger")
    op.add_column("item", sa.Column("named_currency", sa.String(length=3)))
    op.execute("UPDATE item SET named_currency = COALESCE(currency, '')")
    with _alone(), op.batch_alter_table("item", table_kwargs={"sqlite_autoincrement": True}) as item:
        item.alter_column("named_currency", existing_type=sa.String(length=3), nullable=False)
        item.add_column(sa.Column("failing_since", UtcDateTime(), nullable=True))
        item.add_column(sa.Column("reported_at", UtcDateTime(), nullable=True))
        item.drop_column("host")
        item.drop_constraint(f"uq_item_{'_'.join(OLD)}", type_="unique")
        item.create_unique_constraint(f"uq_item_{'_'.join(NEW)}", NEW)


def downgrade() -> None:
    # An address had one item. The others keep theirs by a fragment, which no shop is asked for.
    same = " AND ".join(f"first.{column} = item.{column}" for column in OLD)
    op.execute(f"UPDATE item SET url = url || '#' || id WHERE id > (SELECT min(id) FROM item AS first WHERE {same})")
    with _alone(), op.batch_alter_table("item", table_kwargs={"sqlite_autoincrement": True}) as item:
        item.drop_constraint(f"uq_item_{'_'.join(NEW)}", type_="unique")
        item.create_unique_constraint(f"uq_item_{'_'.join(OLD)}", OLD)
        item.add_column(sa.Column("host", sa.String(length=255), nullable=False, server_default=""))
        for column in ("named_currency", "failing_since", "reported_at"):
            item.drop_column(column)
    op.add_column("watch", sa.Column("last_notified_trigger", sa.String(length=20), nullable=True))
    op.add_column("finding", sa.Column("price", Amount(), nullable=True))
    op.add_column("finding", sa.Column("found_at", UtcDateTime(), nullable=False, server_default="1970-01-01 00:00:00"))
    for column in ("target", "percent", "baseline"):
        op.drop_column("said", column)
    op.drop_column("delivery", "frozen_note")


@contextmanager
def _alone() -> Iterator[None]:
    """On SQLite no row may refer to a table that is made anew: those that do are put aside meanwhile."""
    database = op.get_bind()
    if database.dialect.name != "sqlite":
        yield
        return
    names = ", ".join(f"'{name}'" for name in OF_ITEMS)
    made = f"SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN ({names}) ORDER BY type DESC"
    statements = database.exec_driver_sql(made).scalars().all()
    for name in OF_ITEMS:
        database.exec_driver_sql(f"CREATE TABLE kept_{name} AS SELECT * FROM {name}")
        database.exec_driver_sql(f"DROP TABLE {name}")
    yield
    for statement in statements:
        database.exec_driver_sql(statement)
    for name in reversed(OF_ITEMS):
        database.exec_driver_sql(f"INSERT INTO {name} SELECT * FROM kept_{name}")
        database.exec_driver_sql(f"DROP TABLE kept_{name}")
