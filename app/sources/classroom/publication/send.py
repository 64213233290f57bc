"""Sending a month's table to its groups, and withdrawing it, each written down with who did it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app import audit
from app.audit import Actor
from app.sources.classroom.models import Publication
from app.sources.classroom.publication import publish
from app.sources.classroom.publication.month_table import Wanted, draw_month, shifts_of_table
from app.sources.classroom.publication.publish import SUBJECT, next_revision
from app.sources.classroom.seen import ChangedMeanwhile
from app.transaction import Transaction, writing


@dataclass(frozen=True, slots=True)
class SentTable:
    """The publication, and the characters that no font had: they were drawn as 〓."""

    id: int
    missing: Sequence[str]


def send_drawn(
    actor: Actor,
    wanted: Wanted,
    *,
    request_id: str,
    default_group: str | None,
    font: Path | None,
    seen: str | None = None,
) -> SentTable:
    """Draw the table and owe it to its groups, once for each `request_id`.

    `seen` is the digest of a preview: ChangedMeanwhile is raised if the table is not that one any more. Raises
    NoShifts, FontMissing, InvalidInput and NoGroupError, too; nothing is stored then.
    """
    while True:
        drawn = draw_month(wanted, font)
        if seen is not None and drawn.digest != seen and not publish.is_published(request_id):
            raise ChangedMeanwhile
        with writing() as tx:
            tx.lock(Publication)
            # Its number stands on the picture: if somebody else took that one meanwhile, or changed a shift while it
            # was drawn, it is drawn anew.
            as_drawn = next_revision(wanted.month, wanted.classroom_id), shifts_of_table(wanted)
            if as_drawn == (drawn.revision, drawn.shifts):
                made = _publish(tx, actor, wanted, drawn.drawing.png, request_id, default_group)
                return SentTable(made, drawn.drawing.missing)


def send_picture(actor: Actor, wanted: Wanted, png: bytes, *, request_id: str, default_group: str | None) -> SentTable:
    """Owe somebody's own picture, which was checked before, to the groups. Raises NoGroupError."""
    with writing() as tx:
        return SentTable(_publish(tx, actor, wanted, png, request_id, default_group), ())


def withdraw(tx: Transaction, actor: Actor, publication_id: int) -> bool:
    """Stop showing and owing a publication; False when it was withdrawn before."""
    if not publish.withdraw(tx, publication_id):
        return False
    audit.note(tx, actor, "withdraw", (SUBJECT, publication_id))
    return True


def _publish(
    tx: Transaction, actor: Actor, wanted: Wanted, png: bytes, request_id: str, default_group: str | None
) -> int:
    before = len(tx.enqueued)
    made = publish.publish(
        tx, actor, month=wanted.month, classroom_id=wanted.classroom_id, png=png, request_id=request_id,
        default_group=default_group, zone=wanted.zone,
    )  # fmt: skip
    if len(tx.enqueued) > before:  # not the second click on one form
        audit.note(tx, actor, "publish", (SUBJECT, made))
    return made
