"""Measuring several things against each other."""

from collections.abc import Callable
from statistics import median

ROUNDS = 3


def medians(*measured: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """Taken in turns, so that whatever else the machine does falls on all of them alike."""
    found = [[one() for one in measured] for _ in range(rounds)]
    return [median(one) for one in zip(*found, strict=True)]
