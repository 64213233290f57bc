"""What somebody chose for each category on each channel."""

from collections.abc import Collection

from sqlalchemy import select

from app.extensions import db
from app.reach.models import Preference

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
