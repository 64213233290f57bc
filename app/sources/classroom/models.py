"""Classrooms, the shifts of their tutors, and what each tutor was told of them."""

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime


class ShiftStatus(StrEnum):
    """A draft is nobody's business yet; only confirmed shifts are told."""

    DRAFT = "draft"
    CONFIRMED = "confirmed"


class Classroom(Base):
    """Where shifts take place. `group_id`: the LINE group that gets its shift table; None means LINE_GROUP_ID."""

    __tablename__ = "classroom"

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    group_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("line_group.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Shift(Base):
    """One shift of one tutor. `version` rises when anything that a tutor is told changes, not on a note.

    Deleted softly: what was told of it stays explained.
    """

    __tablename__ = "shift"
    __table_args__ = (
        CheckConstraint("status IN ('draft', 'confirmed')", name="status"),
        CheckConstraint("starts_at < ends_at", name="ends_after_start"),
        Index("ix_shift_starts", "starts_at"),
        Index("ix_shift_tutor", "tutor_id", "starts_at"),
        # What changed and lies ahead; the reminder scan asks for it.
        Index("ix_shift_changed", "starts_at", sqlite_where=text("version > 1"), postgresql_where=text("version > 1")),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    external_id: Mapped[str | None] = mapped_column(String(100), unique=True)
    tutor_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    classroom_id: Mapped[int] = mapped_column(BigInt, ForeignKey("classroom.id"))
    starts_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)
    status: Mapped[str] = mapped_column(String(10))
    version: Mapped[int] = mapped_column(default=1)
    note: Mapped[str] = mapped_column(String(500), default="")
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


TOLD = ("tutor_id", "classroom_id", "starts_at", "ends_at", "status")
"""What a tutor is told of a shift: a change of these, or an undeletion, makes a new version."""


class ShiftVersion(Base):
    """What a shift was in one of its versions: what a message about that version said, or may have said."""

    __tablename__ = "shift_version"

    shift_id: Mapped[int] = mapped_column(BigInt, ForeignKey("shift.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    tutor_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    classroom_id: Mapped[int] = mapped_column(BigInt, ForeignKey("classroom.id"))
    starts_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)
    takes_place: Mapped[bool]
    """Confirmed and not deleted."""


class ShiftTold(Base):
    """What one tutor was told of one shift; written in the transaction that writes `sent`.

    The classroom stands here by its id: the message said the name of then, and a new name means the same place.

    A message that called the shift off, or took it from this tutor, said when and where it was to be, and that stands
    here. Which it was, the version tells: see `plan_of`.
    """

    __tablename__ = "shift_told"
    __table_args__ = (
        UniqueConstraint("shift_id", "account_id", "kind", "version"),
        Index("ix_shift_told_starts", "starts_at"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    shift_id: Mapped[int] = mapped_column(BigInt, ForeignKey("shift.id"))
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    kind: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    classroom_id: Mapped[int] = mapped_column(BigInt, ForeignKey("classroom.id"))
    starts_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class Publication(Base):
    """One revision of a month's shift table, of one classroom or all; `month` is its first day.

    `document_id` opens it and cannot be guessed. `request_id` is the form's own: pressed twice, it makes one.
    """

    __tablename__ = "publication"
    __table_args__ = (
        UniqueConstraint("month", "classroom_id", "revision"),
        # A NULL differs from every other NULL there, so the tables of all classrooms have an index of their own.
        Index(
            "uq_publication_of_all",
            "month",
            "revision",
            unique=True,
            sqlite_where=text("classroom_id IS NULL"),
            postgresql_where=text("classroom_id IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    month: Mapped[date]
    classroom_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("classroom.id"))
    revision: Mapped[int]
    document_id: Mapped[str] = mapped_column(String(43), unique=True)
    request_id: Mapped[str] = mapped_column(String(43), unique=True)
    created_by: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class PublicationImage(Base):
    """The picture of one publication, a PNG of our own making; apart, so that lists never read it."""

    __tablename__ = "publication_image"

    publication_id: Mapped[int] = mapped_column(BigInt, ForeignKey("publication.id"), primary_key=True)
    png: Mapped[bytes] = mapped_column(LargeBinary)


class ImportFile(Base):
    """A file of shifts between the preview of its import and the confirmation; its uploader's alone, for an hour.

    Once it is imported the row stays without the file for what is left of that hour, and says when it was.
    """

    __tablename__ = "import_file"
    __table_args__ = (Index("ix_import_file_created", "created_at"),)

    token: Mapped[str] = mapped_column(String(43), primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInt, ForeignKey("account.id"))
    name: Mapped[str] = mapped_column(String(255))
    data: Mapped[bytes] = mapped_column(LargeBinary)
    create_classrooms: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    imported_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
