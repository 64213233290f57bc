"""What is kept of looks for the history of an item: what changed, and one reading a day."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, insert, select

from app.sources.prices.looking import Look
from app.sources.prices.models import Observation
from app.transaction import Transaction

MOST_KEPT = 200
"""Of one item, and what a day adds: as many as its page shows."""

_SEEN = Observation.__table__
_OF_ITEM = _SEEN.c.item_id == bindparam("of_item")
_OLDEST_KEPT = select(_SEEN.c.at).where(_OF_ITEM).order_by(_SEEN.c.at.desc()).offset(MOST_KEPT - 1).limit(1)
_TOO_OLD = delete(Observation).where(_OF_ITEM, _SEEN.c.at < _OLDEST_KEPT.scalar_subquery())


def observe(tx: Transaction, looks: Sequence[Look]) -> None:
    """Keep what these looks saw; with the first of a day goes what is older than is shown."""
    seen = [(look, observation) for look in looks if (observation := look.observation()) is not None]
    if seen:
        tx.execute(insert(Observation), [observation for _look, observation in seen])
    if aging := [{"of_item": look.item.id} for look, _observation in seen if _is_first_of_a_day(look)]:
        tx.execute(_TOO_OLD, aging)


def _is_first_of_a_day(look: Look) -> bool:
    """Not the very first of an item."""
    before = look.item.observed_at
    return before is not None and before.date() != look.at.date()
