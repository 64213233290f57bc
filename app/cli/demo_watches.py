"""What the demo's customer watches in the sandbox's shop, once."""

from decimal import Decimal

from sqlalchemy import select

from app.accounts.known import id_of
from app.cli.demo_data import CUSTOMER
from app.sources.prices.models import Adapter, Trigger, Watch
from app.sources.prices.shops.offer import Price, ShopItem
from app.sources.prices.shops.sandbox import PRODUCTS
from app.sources.prices.watch import watch
from app.sources.prices.wishes import Wished
from app.transaction import Transaction

BACKPACK = ShopItem(f"{PRODUCTS}backpack", Adapter.SANDBOX)
AS_IT_BEGINS = Price(Decimal(12800), "JPY", "通勤リュック")
"""What a fresh sandbox says; it may not run yet. The scan reads what it says now."""


def add_watch(tx: Transaction) -> None:
    """Watch one thing, unless this customer ever watched any."""
    customer = id_of(CUSTOMER.email)
    if tx.session.scalar(select(Watch.id).where(Watch.account_id == customer).limit(1)) is None:
        watch(tx, customer, BACKPACK, AS_IT_BEGINS, Wished(Trigger.BELOW_TARGET, target=Decimal(10000)))
