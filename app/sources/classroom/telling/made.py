"""What messages about shifts were made to say: those at hand, and those that are still to go out."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import and_, select, tuple_

from app.extensions import db
from app.kinds import Due
from app.outbox.models import Delivery
from app.outbox.state import WAITING, State
from app.sources.classroom.models import ShiftVersion
from app.sources.classroom.telling.beliefs import SUBJECT, plan_of
from app.sources.classroom.telling.plans import Made


def made_to_say(deliveries: Sequence[Due]) -> dict[int, Made]:
    """What each of these says whenever it goes out, by its id. One query."""
    wanted = {(due.subject_id, due.subject_version) for due in deliveries}
    rows = db.session.scalars(
        select(ShiftVersion).where(tuple_(ShiftVersion.shift_id, ShiftVersion.version).in_(wanted))
    )
    kept = {(version.shift_id, version.version): version for version in rows}
    return {
        due.id: Made(version.version, plan_of(version, due.account_id))
        for due in deliveries
        if due.account_id is not None and (version := kept.get((due.subject_id, due.subject_version or 0)))
    }


def living(shift_ids: Collection[int]) -> Mapping[tuple[int, int, str], Sequence[Made]]:
    """What may still go out about these shifts, by (shift, account, kind): it waits, or a worker has it. One query."""
    about = and_(Delivery.subject_type == SUBJECT, Delivery.subject_id.in_(shift_ids))
    version = and_(ShiftVersion.shift_id == Delivery.subject_id, ShiftVersion.version == Delivery.subject_version)
    rows = db.session.execute(
        select(Delivery.account_id, Delivery.kind, ShiftVersion)
        .join(ShiftVersion, version)
        .where(about, Delivery.state.in_((*WAITING, State.SENDING)))
    )
    found: dict[tuple[int, int, str], list[Made]] = defaultdict(list)
    for account_id, kind, kept in rows:
        if account_id is not None:
            found[kept.shift_id, account_id, kind].append(Made(kept.version, plan_of(kept, account_id)))
    return found
