"""A device is known by a cookie of its browser, and its id is never given again."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("device", table_kwargs={"sqlite_autoincrement": True}) as device:
        device.add_column(sa.Column("browser_hash", sa.String(length=64), nullable=True))
        device.create_unique_constraint(op.f("uq_device_browser_hash"), ["browser_hash"])


def downgrade() -> None:
    with op.batch_alter_table("device", table_kwargs={"sqlite_autoincrement": False}) as device:
        device.drop_constraint(op.f("uq_device_browser_hash"), type_="unique")
        device.drop_column("browser_hash")
