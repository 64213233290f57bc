"""What somebody chose for each category on each channel."""

from collections.abc import Collection, Mapping

from sqlalchemy import select

from app.accounts.known import hold
from app.extensions import db
from app.reach.models import Preference
from app.transaction import Transaction

LINE = "line"
WEB_PUSH = "web_push"
DEFAULTS = {WEB_PUSH: True, LINE: False}
"""A device was registered to get pushes; a LINE link was made for something else, so it asks first."""


def refused(account_ids: Collection[int], category: str) -> set[tuple[int, str]]:
    """(account, channel) pairs that may not be used for this category; one query."""
    chosen = {
        (row.account_id, row.channel): row.enabled
        for row in db.session.scalars(
            select(Preference).where(Preference.account_id.in_(account_ids), Preference.category == category)
        )
    }
    return {
        (account_id, channel)
        for account_id in account_ids
        for channel, default in DEFAULTS.items()
        if not chosen.get((account_id, channel), default)
    }


def choices(account_id: int) -> dict[tuple[str, str], bool]:
    """What this account chose, by (category, channel); where it chose nothing, DEFAULTS hold."""
    rows = db.session.scalars(select(Preference).where(Preference.account_id == account_id))
    return {(row.category, row.channel): row.enabled for row in rows}


def set_preferences(tx: Transaction, account_id: int, chosen: Mapping[tuple[str, str], bool]) -> None:
    """Remember these choices, by (category, channel). What waits already is asked about right before it is sent.

    Raises NoSuchAccountError.
    """
    hold(tx, account_id)
    rows = [
        {"account_id": account_id, "category": category, "channel": channel, "enabled": enabled}
        for (category, channel), enabled in sorted(chosen.items())
    ]
    if not rows:
        return
    new = tx.insert(Preference).values(rows)
    keys = ["account_id", "category", "channel"]
    tx.session.execute(new.on_conflict_do_update(index_elements=keys, set_={"enabled": new.excluded.enabled}))
