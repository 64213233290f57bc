"""What is being said of a finding, and how it is noted until it is known to have been said."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.sources.prices.models import Trigger
from app.sources.prices.triggers import Wish


@dataclass(frozen=True, slots=True)
class Saying:
    """The price as it was read right before, and the wish that it is said of."""

    finding_id: int
    watch_id: int
    title: str
    wish: Wish
    price: Decimal
    currency: str
    read_at: datetime

    def noted(self) -> dict[str, Any]:
        """The same in the words of JSON, without what was told before: the note for `told`."""
        return {
            "finding_id": self.finding_id, "watch_id": self.watch_id, "title": self.title,
            "trigger": self.wish.trigger, "target": _written(self.wish.target), "percent": self.wish.percent,
            "baseline": _written(self.wish.baseline), "price": _written(self.price), "currency": self.currency,
            "read_at": self.read_at.isoformat(),
        }  # fmt: skip


def saying_of(note: Any) -> Saying:
    """What was noted."""
    wish = Wish(Trigger(note["trigger"]), _read(note["target"]), note["percent"], _read(note["baseline"]))
    return Saying(
        note["finding_id"], note["watch_id"], note["title"], wish, Decimal(note["price"]), note["currency"],
        datetime.fromisoformat(note["read_at"]),
    )  # fmt: skip


def _written(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def _read(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount)
