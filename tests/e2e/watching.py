"""Things that the site's administrator watches, in every standing, for browsers to look at."""

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import select

from app.accounts.models import Account
from app.clock import now
from app.codes import CancelReason
from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.prices.find import News, find
from app.sources.prices.models import Adapter, Item, Observation, Trigger
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Unavailable
from app.sources.prices.watch import pause, watch
from app.sources.prices.wishes import Wished
from app.transaction import writing
from tests.factories import all_deliveries, change
from tests.inbox.inboxes import make_device

LONG = "電気ケトル 0.8L 温度調節つき コードレス 自動電源オフ ステンレス製 二重構造 保温機能つき（2026年モデル）"
TARGET = Wished(Trigger.BELOW_TARGET, target=Decimal(1500))


def watching_all_sorts() -> list[str]:
    """Make it all; the addresses of the pages that matter."""
    admin = db.session.scalars(select(Account.id).where(Account.role == "admin")).one()
    told = _watch(admin, "kettle", Price(Decimal(1980), "JPY", LONG), TARGET)
    _watch(
        admin, "a-very-long-name-of-a-page-" + "x" * 80, FetchFailed(Trouble.UNREACHABLE), Wished(Trigger.BACK_IN_STOCK)
    )
    _watch(admin, "bag", Unavailable("Backpack"), Wished(Trigger.PERCENT_DROP, percent=20))
    paused = _watch(admin, "paused", Price(Decimal("1234567.89"), "EUR", "Piano"), TARGET)
    make_device(admin, name="Safari · iPhone of the whole family")
    make_device(admin, name="Chrome · Android")
    item = db.session.scalars(select(Item.id).where(Item.title == LONG)).one()
    with writing() as tx:
        pause(tx, admin, paused)
        for day, price in enumerate((1980, 1700, None, 1800, 1400)):
            at = now() - timedelta(days=9 - day)
            tx.session.add(Observation(item_id=item, at=at, price=price and Decimal(price), in_stock=bool(price)))
        find(tx, [News(told, admin, Trigger.BELOW_TARGET)])
    first, *_others = all_deliveries()
    canceled = {"cancel_reason": CancelReason.CONDITION_LOST, "finished_at": now(), "next_attempt_at": None}
    change(Delivery, first.id, state=State.CANCELED, **canceled)
    return ["/watches", "/watches/new", f"/watches/{told}", f"/watches/{paused}", f"/watches/{told}/remove"]


def _watch(account: int, name: str, reading: Reading, wished: Wished) -> int:
    with writing() as tx:
        return watch(tx, account, ShopItem(f"https://shop.example/{name}", Adapter.PAGE), reading, wished).id
