"""What each version of a shift was."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "shift_version",
        sa.Column("shift_id", BIG, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("tutor_id", BIG, nullable=False),
        sa.Column("classroom_id", BIG, nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("takes_place", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["shift_id"], ["shift.id"], name=op.f("fk_shift_version_shift_id_shift")),
        sa.ForeignKeyConstraint(["tutor_id"], ["account.id"], name=op.f("fk_shift_version_tutor_id_account")),
        sa.ForeignKeyConstraint(
            ["classroom_id"], ["classroom.id"], name=op.f("fk_shift_version_classroom_id_classroom")
        ),
        sa.PrimaryKeyConstraint("shift_id", "version", name=op.f("pk_shift_version")),
    )
    # What was told so far is compared with from now on.
    op.execute(
        "INSERT INTO shift_version (shift_id, version, tutor_id, classroom_id, starts_at, ends_at, takes_place) "
        "SELECT id, version, tutor_id, classroom_id, starts_at, ends_at, status = 'confirmed' AND deleted_at IS NULL "
        "FROM shift"
    )


def downgrade() -> None:
    op.drop_table("shift_version")
