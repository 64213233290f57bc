"""LINE groups, and the shift tables published to them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "line_group",
        sa.Column("id", BIG, nullable=False),
        sa.Column("line_group_id", sa.String(length=33), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("language IN ('ja', 'en')", name=op.f("ck_line_group_language")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_line_group")),
        sa.UniqueConstraint("line_group_id", name=op.f("uq_line_group_line_group_id")),
    )
    _add_group_to_classroom()
    op.create_table(
        "publication",
        sa.Column("id", BIG, nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("classroom_id", BIG),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.String(length=43), nullable=False),
        sa.Column("request_id", sa.String(length=43), nullable=False),
        sa.Column("created_by", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(["classroom_id"], ["classroom.id"], name=op.f("fk_publication_classroom_id_classroom")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publication")),
        sa.UniqueConstraint("document_id", name=op.f("uq_publication_document_id")),
        sa.UniqueConstraint("request_id", name=op.f("uq_publication_request_id")),
        sa.UniqueConstraint(
            "month", "classroom_id", "revision", name=op.f("uq_publication_month_classroom_id_revision")
        ),
    )
    op.create_index(
        "uq_publication_of_all",
        "publication",
        ["month", "revision"],
        unique=True,
        sqlite_where=sa.text("classroom_id IS NULL"),
        postgresql_where=sa.text("classroom_id IS NULL"),
    )
    op.create_table(
        "publication_image",
        sa.Column("publication_id", BIG, nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication_id"], ["publication.id"], name=op.f("fk_publication_image_publication_id_publication")
        ),
        sa.PrimaryKeyConstraint("publication_id", name=op.f("pk_publication_image")),
    )


def downgrade() -> None:
    op.drop_table("publication_image")
    op.drop_table("publication")
    op.drop_column("classroom", "group_id")
    op.drop_table("line_group")


def _add_group_to_classroom() -> None:
    if op.get_bind().dialect.name == "sqlite":
        # In place: made anew, the table would be dropped while shifts point to it, which SQLite refuses.
        op.execute("ALTER TABLE classroom ADD COLUMN group_id INTEGER REFERENCES line_group (id)")
        return
    op.add_column("classroom", sa.Column("group_id", BIG))
    op.create_foreign_key(op.f("fk_classroom_group_id_line_group"), "classroom", "line_group", ["group_id"], ["id"])
