"""What is kept of looks for the history of an item: what changed, and one reading a day."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, insert, select

from app.sources.prices.looking import Look
from app.sources.prices.models import Observation
from app.transaction import Transaction

MOST_KEPT = 200
"""Of one item: as many as its page shows."""

_SEEN = Observation.__table__
_OF_ITEM = _SEEN.c.item_id == bindparam("of_item")
_OLDEST_KEPT = select(_SEEN.c.at).where(_OF_ITEM).order_by(_SEEN.c.at.desc()).offset(MOST_KEPT - 1).limit(1)
_TOO_OLD = delete(Observation).where(_OF_ITEM, _SEEN.c.at < _OLDEST_KEPT.scalar_subquery())


def observe(tx: Transaction, looks: Sequence[Look]) -> None:
    """Keep what these looks saw, and no more of their items than is shown."""
    if seen := [one for look in looks if (one := look.observation()) is not None]:
        tx.execute(insert(Observation), seen)
        tx.execute(_TOO_OLD, [{"of_item": one["item_id"]} for one in seen])
