"""Where each tutor was told to be, by the classroom's id."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("shift_told", sa.Column("classroom_id", BIG))
    # A shift that was called off stood there as it was before that version: its place is found by its name.
    op.execute(
        "UPDATE shift_told SET classroom_id = COALESCE("
        "(SELECT shift_version.classroom_id FROM shift_version WHERE shift_version.shift_id = shift_told.shift_id"
        " AND shift_version.version = shift_told.version AND shift_version.takes_place"
        " AND shift_version.tutor_id = shift_told.account_id), "
        "(SELECT classroom.id FROM classroom WHERE classroom.name = shift_told.classroom), "
        "(SELECT shift.classroom_id FROM shift WHERE shift.id = shift_told.shift_id))"
    )
    with op.batch_alter_table("shift_told") as told:
        told.alter_column("classroom_id", existing_type=BIG, nullable=False)
        told.create_foreign_key(op.f("fk_shift_told_classroom_id_classroom"), "classroom", ["classroom_id"], ["id"])
        told.drop_column("classroom")


def downgrade() -> None:
    op.add_column("shift_told", sa.Column("classroom", sa.String(length=100)))
    op.execute(
        "UPDATE shift_told SET classroom = "
        "(SELECT classroom.name FROM classroom WHERE classroom.id = shift_told.classroom_id)"
    )
    with op.batch_alter_table("shift_told") as told:
        told.alter_column("classroom", existing_type=sa.String(length=100), nullable=False)
        told.drop_constraint(op.f("fk_shift_told_classroom_id_classroom"), type_="foreignkey")
        told.drop_column("classroom_id")
