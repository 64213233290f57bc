"""The tables of the ledger: what is owed, each try, what stands in the way, and how much ended in each hour."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, String, Text, TextClause, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.columns import Base, BigInt, UtcDateTime
from app.outbox.state import State

FOR_GOOD = "finished_at IS NOT NULL AND state <> 'failed'"


def _partial(name: str, *columns: str | TextClause, where: str) -> Index:
    """An index of those rows alone: the others cost it nothing."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


def _flagged(name: str, *columns: str, flag: str) -> Index:
    """An index of the rows with this flag, which SQLite, knowing no booleans, is asked for by its number."""
    return Index(name, *columns, sqlite_where=text(f"{flag} = 1"), postgresql_where=text(flag))


class Delivery(Base):
    """One thing owed to one address on one channel.

    `attempts` counts all tries, `round_attempts` those since an operator's last retry. `key_ambiguous`: a request
    that went out (on LINE: under the present retry key) may have been accepted. `frozen_request` is the first request
    made with that key, address and message, repeated byte for byte; it holds personal text and is erased as soon as
    it has no use. `frozen_note`: the note that its source gave with it (JSON), which goes with it.
    """

    __tablename__ = "delivery"
    __table_args__ = (
        CheckConstraint("state IN ({})".format(", ".join(f"'{state}'" for state in State)), name="state"),
        # For the engine and for lists, each asked for one state at a time: so it gives the rows in order of time. What
        # waits may be a whole broadcast, and what was sent is years of it: whoever asks has a limit or an index.
        Index("ix_delivery_state_created", "state", "created_at", "id"),
        Index("ix_delivery_kind", "kind", "state", "created_at", "id"),
        Index("ix_delivery_channel", "channel", "state", "created_at", "id"),
        # With the version, so that an announcement's progress is counted from it alone.
        Index("ix_delivery_subject", "subject_type", "subject_id", "state", "created_at", "id", "subject_version"),
        Index("ix_delivery_account", "account_id", "state", "created_at", "id"),
        _partial("ix_delivery_code", "failure_code", "state", "created_at", "id", where="failure_code IS NOT NULL"),
        _partial("ix_delivery_scope", "scope", "state", "created_at", "id", where="scope IS NOT NULL"),
        _partial("ix_delivery_group", "address_id", "state", "created_at", "id", where="address_type = 'line_group'"),
        # What is in the way now, with all that is told of it.
        _partial(
            "ix_delivery_in_the_way", "channel", "failure_code", "state", "dead_letter", "created_at", "finished_at",
            where="failure_code IS NOT NULL AND state <> 'canceled'",
        ),
        # These know the state already.
        _partial("ix_delivery_canceled", "cancel_reason", "created_at", "id", where="cancel_reason IS NOT NULL"),
        _flagged("ix_delivery_dead_letter", "created_at", "id", flag="dead_letter"),
        # For a search. What LINE had accepted earlier stands under another request id than its tries.
        _flagged("ix_delivery_accepted_id", "provider_request_id", flag="already_accepted"),
        _partial("ix_delivery_key_tail", text("substr(retry_key, 31)"), where="retry_key IS NOT NULL"),
        _partial("ix_delivery_frozen", "retry_key_used_at", where="frozen_request IS NOT NULL"),
        # What a shift's message, which goes over LINE alone, may have said to whoever it was for.
        _partial("ix_delivery_unsent", "subject_type", "expires_at", where="state <> 'sent' AND channel = 'line'"),
        # What has not ended: a move between those states touches neither of them on SQLite, and the end removes it.
        _partial("ix_delivery_owed_at", "address_type", "address_id", where="finished_at IS NULL"),
        _partial("ix_delivery_owed_until", "expires_at", where="finished_at IS NULL"),
        # Few failures are of the last day, however many the years brought.
        _partial("ix_delivery_failed", "state", "finished_at", where="state = 'failed'"),
        # What ended of late for good, with all that is counted of it.
        _partial("ix_delivery_ended", "finished_at", "state", "channel", "created_at", where=FOR_GOOD),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    kind: Mapped[str] = mapped_column(String(40))
    channel: Mapped[str] = mapped_column(String(20))
    dedup_key: Mapped[str] = mapped_column(String(200), unique=True)
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[int] = mapped_column(BigInt)
    subject_version: Mapped[int | None]
    notification_id: Mapped[int | None] = mapped_column(BigInt)
    account_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("account.id"))
    address_type: Mapped[str] = mapped_column(String(20))
    address_id: Mapped[int] = mapped_column(BigInt)
    address_label: Mapped[str] = mapped_column(String(200))
    scope: Mapped[str | None] = mapped_column(String(60))
    gate_key: Mapped[str] = mapped_column(String(300))
    state: Mapped[str] = mapped_column(String(10))
    attempts: Mapped[int] = mapped_column(default=0)
    round_attempts: Mapped[int] = mapped_column(default=0)
    next_attempt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    next_trigger: Mapped[str] = mapped_column(String(10))
    rescues: Mapped[int] = mapped_column(default=0)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    retry_key: Mapped[str | None] = mapped_column(String(36))
    retry_key_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    key_ambiguous: Mapped[bool] = mapped_column(default=False)
    frozen_request: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    frozen_note: Mapped[str | None] = mapped_column(Text, deferred=True)
    lease_token: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    failure_code: Mapped[str | None] = mapped_column(String(40))
    dead_letter: Mapped[bool] = mapped_column(default=False)
    cancel_reason: Mapped[str | None] = mapped_column(String(40))
    cancel_detail: Mapped[str | None] = mapped_column(String(300))
    provider_request_id: Mapped[str | None] = mapped_column(String(100))
    already_accepted: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    queued_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)

    @property
    def reason(self) -> str | None:
        """The code that explains where it stands: once canceled, whatever a try met before explains nothing more."""
        return self.cancel_reason if self.state == State.CANCELED else self.failure_code


class Attempt(Base):
    """One try of one delivery: a request begun, or a recheck that could not be answered.

    `may_have_arrived`: its request was accepted, or may have been; so it is taken while no answer has come. Unlike the
    delivery's `key_ambiguous` it is never forgotten, whatever key comes after it.
    """

    __tablename__ = "attempt"
    __table_args__ = (
        UniqueConstraint("delivery_id", "number"),
        _partial("ix_attempt_provider_request_id", "provider_request_id", where="provider_request_id IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(BigInt, primary_key=True)
    delivery_id: Mapped[int] = mapped_column(BigInt, ForeignKey("delivery.id"))
    number: Mapped[int]
    trigger: Mapped[str] = mapped_column(String(10))
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    outcome: Mapped[str | None] = mapped_column(String(20))
    may_have_arrived: Mapped[bool]
    code: Mapped[str | None] = mapped_column(String(40))
    http_status: Mapped[int | None]
    detail: Mapped[str | None] = mapped_column(String(400))
    retry_key: Mapped[str | None] = mapped_column(String(36))
    provider_request_id: Mapped[str | None] = mapped_column(String(100))
    duration_ms: Mapped[int | None]
    next_attempt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Gate(Base):
    """What an operator or the circuit breaker closed, by `Delivery.gate_key`; without a row it is open.

    `failures` counts deliveries that met trouble in a row, the last of them `last_failed_id`; `openings` how often the
    breaker acted since it was last well; `probe_id` is the delivery that is let through to see whether it is.
    """

    __tablename__ = "gate"

    key: Mapped[str] = mapped_column(String(300), primary_key=True)
    why: Mapped[str] = mapped_column(String(300))
    paused_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    breaker_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    failures: Mapped[int] = mapped_column(default=0)
    last_failed_id: Mapped[int | None] = mapped_column(BigInt)
    openings: Mapped[int] = mapped_column(default=0)
    probe_id: Mapped[int | None] = mapped_column(BigInt)


class DeliveryHour(Base):
    """How many deliveries of one channel ended in this way within one hour, from `hour` on; an hour long ago is counted
    under `hours.LONG_AGO`. Only what never changes again is counted: sent, and canceled.

    `waited`: they were owed for at most so many seconds until they were sent, and for more than the next smaller of
    `hours.WAITS`; 0 where nothing is measured.
    """

    __tablename__ = "delivery_hour"

    hour: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)
    channel: Mapped[str] = mapped_column(String(20), primary_key=True)
    state: Mapped[str] = mapped_column(String(10), primary_key=True)
    waited: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
