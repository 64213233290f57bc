"""Where a list goes on, newest first."""

from datetime import datetime
from typing import NamedTuple


class Place(NamedTuple):
    """A row of a list: the next page begins right after it, whatever came or vanished meanwhile."""

    at: datetime
    """By which the list is ordered, and among equals by `id`."""
    id: int
