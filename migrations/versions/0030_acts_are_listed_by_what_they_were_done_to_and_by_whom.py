"""Acts are listed by what they were done to, by what they were and by whom; gates by the devices behind them."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_audit_entry_type_at", "audit_entry", ["subject_type", "at", "id"]),
    ("ix_audit_entry_act_at", "audit_entry", ["subject_type", "act", "at", "id"]),
    ("ix_audit_entry_actor_at", "audit_entry", ["actor_id", "at", "id"]),
    ("ix_device_gate", "device", ["gate_key"]),
)


def upgrade() -> None:
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns)


def downgrade() -> None:
    for name, table, _columns in reversed(INDEXES):
        op.drop_index(name, table)
