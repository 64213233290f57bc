"""Figures as a table, each with its target: pass or miss."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """So many a second of ours, so many of the rival's, and how many times as many they should be."""

    name: str
    ours: float
    rival: float
    target: float


@dataclass(frozen=True, slots=True)
class Bounded:
    """What something of ours takes, what it is measured by, and how many times as long it may take; in milliseconds."""

    name: str
    ours: float
    measure: float
    limit: float


def show(title: str, lines: Sequence[Line]) -> None:
    """Print it."""
    print(f"\n{title:44}{'ours /s':>10}{'rival /s':>10}{'ratio':>8}{'target':>8}")
    for one in lines:
        ratio = one.ours / one.rival
        verdict = "pass" if ratio >= one.target else "MISS"
        print(f"{one.name:44}{one.ours:10.1f}{one.rival:10.1f}{ratio:8.2f}{one.target:8.1f}  {verdict}", flush=True)


def show_bounded(title: str, ours: str, measure: str, lines: Sequence[Bounded]) -> None:
    """Print it; `ours` and `measure` are what the two columns of times are."""
    print(f"\n{title:44}{ours:>12}{measure:>12}{'ratio':>8}{'at most':>9}")
    for one in lines:
        ratio = one.ours / one.measure
        verdict = "pass" if ratio <= one.limit else "MISS"
        times = f"{one.ours:9.2f} ms{one.measure:9.2f} ms"
        print(f"{one.name:44}{times}{ratio:8.2f}{one.limit:9.1f}  {verdict}", flush=True)
