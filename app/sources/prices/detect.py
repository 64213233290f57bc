"""The scan of prices: look at the items that are due, at many shops at once and each at its own pace.

Whose shop's turn is far off is put back until it comes, so that however many items one shop has, the others have their
turns in between. An item that is taken is due again after its lease: whoever dies loses nothing but that time.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import timedelta
from typing import Any

from flask import current_app
from sqlalchemy import select, update

from app.clock import monotonic, now, pause
from app.extensions import db
from app.kinds import REQUEST_BOUND
from app.logs import place_of
from app.sources.prices.keep import keep
from app.sources.prices.looking import Known, Look
from app.sources.prices.models import Item
from app.sources.prices.shops.offer import FetchFailed, Trouble
from app.sources.prices.shops.registry import Shops, read, shops
from app.sources.prices.watch import SCAN
from app.transaction import Transaction, writing

BUDGET = 3.0
"""Seconds for one run, not counting the looks that are under way at its end; the scan then wakes itself."""
AT_ONCE = 32
"""Looks of one run."""
TOGETHER = 50
"""Looks that are stored in one transaction, which takes 10 ms or so."""
LEASE = timedelta(minutes=2)
SOON = timedelta(seconds=5)
"""What is due by then is waited for; the rest is for the next slot."""
A_MOMENT = 0.05

log = logging.getLogger(__name__)


def detect() -> dict[str, int]:
    """One run: how many looks there were, how many of them gave no answer, and how many deliveries are newly owed."""
    return look(shops(current_app.config["SETTINGS"]), monotonic() + BUDGET)


def look(known: Shops, until: float) -> dict[str, int]:
    """Look at what is due, by these shops, until that moment of the monotonic clock."""
    figures = Counter(looked=0, unanswered=0, owed=0)
    with ThreadPoolExecutor(AT_ONCE, "look") as threads:
        looks = _Looks(known, threads)
        while monotonic() < until and (looks.begin() or looks.under_way or _due_by(SOON)):
            looks.land(figures)
        while looks.under_way:
            looks.land(figures)
    if _due_by(SOON):
        with writing() as tx:
            tx.wake(SCAN)
    return dict(figures)


class _Looks:
    """Those that are under way. No transaction is open meanwhile."""

    def __init__(self, known: Shops, threads: ThreadPoolExecutor) -> None:
        self._known = known
        self._threads = threads
        self._flying: set[Future[Look]] = set()

    @property
    def under_way(self) -> int:
        """How many have not come back."""
        return len(self._flying)

    def begin(self) -> int:
        """Take what is due, as far as there is room; how many that were."""
        room = 2 * AT_ONCE - len(self._flying)
        if room < AT_ONCE:
            return 0
        with writing() as tx:
            taken = take(tx, room)
        self._flying |= {self._threads.submit(_look_at, self._known, one) for one in taken}
        return len(taken)

    def land(self, figures: Counter[str]) -> None:
        """Wait a moment for those that come, and store them."""
        if not self._flying:
            pause(A_MOMENT)
            return
        done = list(wait(self._flying, A_MOMENT, FIRST_COMPLETED).done)[:TOGETHER]
        self._flying -= set(done)
        if looks := [one.result() for one in done]:
            figures.update(_counted(looks, keep(looks)))


def _look_at(known: Shops, item: Known) -> Look:
    """Runs in a thread. Where our own code breaks over what a shop says, the others are looked at all the same."""
    try:
        reading = read(known, item.shop_item, REQUEST_BOUND)
    except Exception as error:
        log.error("looking at item %d broke: %s at %s", item.id, type(error).__name__, place_of(error))
        reading = FetchFailed(Trouble.UNREACHABLE)
    return Look(item, reading, now())


def take(tx: Transaction, number: int) -> list[Known]:
    """The items that have been due the longest; nobody else takes them before their lease is over."""
    due = select(Item.id).where(Item.next_look_at <= now()).order_by(Item.next_look_at, Item.id)
    ids = tx.execute(due.limit(number).with_for_update(skip_locked=True)).scalars().all()
    taken = update(Item).where(Item.id.in_(ids)).values(next_look_at=now() + LEASE)
    columns = [Item.__table__.c[name] for name in Known.__slots__]
    rows: Sequence[Sequence[Any]] = tx.execute(taken.returning(*columns)).all() if ids else ()
    return [Known(*row) for row in rows]


def _due_by(span: timedelta) -> bool:
    soonest = select(Item.next_look_at).where(Item.next_look_at <= now() + span).limit(1)
    found = db.session.scalar(soonest)
    db.session.close()
    return found is not None


def _counted(looks: Sequence[Look], owed: int) -> dict[str, int]:
    asked = [one for one in looks if not _was_put_back(one)]
    unanswered = sum(isinstance(one.reading, FetchFailed) for one in asked)
    return {"looked": len(asked), "unanswered": unanswered, "owed": owed}


def _was_put_back(look: Look) -> bool:
    return isinstance(look.reading, FetchFailed) and look.reading.kind is Trouble.NOT_ASKED
