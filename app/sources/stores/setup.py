"""Setting up a store: what is still missing, and telling its owners."""

from app.accounts.memberships import OWNERS, members
from app.accounts.stores import Store
from app.inbox.notify import Event, notify
from app.sources.stores.messages import SETUP
from app.transaction import Transaction

SUBJECT = "store"


def missing_of(store: Store) -> list[str]:
    """The columns that are still empty."""
    return [column for column in SETUP if not getattr(store, column)]


def guide(tx: Transaction, store_id: int, by: int | None) -> None:
    """Tell the owners what is missing, if anything is; whoever was told of this store before is not told again."""
    store = tx.session.get_one(Store, store_id, populate_existing=True)
    if missing_of(store):
        event = Event("store_guidance", f"store:{store_id}:guidance", SUBJECT, store_id, by, f"store:{store_id}")
        notify(tx, event, members(store_id, OWNERS))
