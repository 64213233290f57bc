"""A device knows the gate of its push service, so that the database alone can owe something to all of them."""

from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_device = sa.table("device", sa.column("id"), sa.column("endpoint"), sa.column("gate_key"))


def upgrade() -> None:
    with op.batch_alter_table("device", table_kwargs={"sqlite_autoincrement": True}) as device:
        device.add_column(sa.Column("gate_key", sa.String(length=300), nullable=False, server_default=""))
    for device_id, endpoint in op.get_bind().execute(sa.select(_device.c.id, _device.c.endpoint)).all():
        gate = f"web_push:{urlsplit(endpoint).hostname}"
        op.execute(sa.update(_device).where(_device.c.id == device_id).values(gate_key=gate))
    with op.batch_alter_table("device", table_kwargs={"sqlite_autoincrement": True}) as device:
        device.alter_column("gate_key", existing_type=sa.String(length=300), server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("device", table_kwargs={"sqlite_autoincrement": True}) as device:
        device.drop_column("gate_key")
