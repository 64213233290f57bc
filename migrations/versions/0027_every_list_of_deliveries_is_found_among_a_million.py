"""Every list of deliveries is found among a million, in order; and what ended is counted by the hour."""

import sqlalchemy as sa
from alembic import op

from app.columns import UtcDateTime

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

IN_ORDER = ["state", "created_at", "id"]
OLD = (
    ("ix_delivery_created", ["created_at", "id"], None),
    ("ix_delivery_kind_state", ["kind", "state", "id"], None),
    ("ix_delivery_subject", ["subject_type", "subject_id"], None),
    ("ix_delivery_account", ["account_id", "created_at"], None),
    ("ix_delivery_code", ["failure_code", "created_at"], "failure_code IS NOT NULL"),
)
FOR_GOOD = "finished_at IS NOT NULL AND state <> 'failed'"
NEW = (
    ("ix_delivery_kind", ["kind", *IN_ORDER], None),
    ("ix_delivery_channel", ["channel", *IN_ORDER], None),
    ("ix_delivery_subject", ["subject_type", "subject_id", *IN_ORDER, "subject_version"], None),
    ("ix_delivery_account", ["account_id", *IN_ORDER], None),
    ("ix_delivery_code", ["failure_code", *IN_ORDER], "failure_code IS NOT NULL"),
    ("ix_delivery_scope", ["scope", *IN_ORDER], "scope IS NOT NULL"),
    ("ix_delivery_group", ["address_id", *IN_ORDER], "address_type = 'line_group'"),
    ("ix_delivery_canceled", ["cancel_reason", "created_at", "id"], "cancel_reason IS NOT NULL"),
    ("ix_delivery_key_tail", [sa.text("substr(retry_key, 31)")], "retry_key IS NOT NULL"),
    ("ix_delivery_ended", ["finished_at", "state", "channel", "created_at"], FOR_GOOD),
)
FLAGGED = (
    ("ix_delivery_dead_letter", ["created_at", "id"], "dead_letter"),
    ("ix_delivery_accepted_id", ["provider_request_id"], "already_accepted"),
)
TRIES = ("ix_attempt_provider_request_id", "attempt", ["provider_request_id"])


def upgrade() -> None:
    for name, _columns, _only in OLD:
        op.drop_index(name, "delivery")
    for name, columns, only in NEW:
        _create(name, columns, only, only)
    for name, columns, flag in FLAGGED:
        _create(name, columns, f"{flag} = 1", flag)
    known = sa.text("provider_request_id IS NOT NULL")
    op.create_index(*TRIES, sqlite_where=known, postgresql_where=known)
    op.create_table(
        "delivery_hour",
        sa.Column("hour", UtcDateTime(), nullable=False),
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("waited", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("hour", "channel", "state", "waited", name=op.f("pk_delivery_hour")),
    )


def downgrade() -> None:
    op.drop_table("delivery_hour")
    op.drop_index(TRIES[0], TRIES[1])
    for name, _columns, _only in (*FLAGGED, *NEW):
        op.drop_index(name, "delivery")
    for name, columns, only in OLD:
        _create(name, columns, only, only)


def _create(name: str, columns: list[str | sa.TextClause], on_sqlite: str | None, on_postgresql: str | None) -> None:
    where = {"sqlite_where": on_sqlite, "postgresql_where": on_postgresql}
    op.create_index(name, "delivery", columns, **{key: sa.text(only) for key, only in where.items() if only})
