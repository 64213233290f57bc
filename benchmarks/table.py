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


@dataclass(frozen=True, slots=True)
class Grown:
    """What something takes among many and among few, in milliseconds."""

    name: str
    many: float
    few: float


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


def show_grown(title: str, many: str, few: str, most: float, limit: float, lines: Sequence[Grown]) -> None:
    """Print it: among many it may take so long at most, and so many times what it takes among few."""
    print(f"\n{title:44}{many:>12}{few:>12}{'ratio':>8}  at most {most:.0f} ms, {limit} times")
    for one in lines:
        ratio = one.many / one.few
        verdict = "pass" if one.many <= most and ratio <= limit else "MISS"
        print(f"{one.name:44}{one.many:9.2f} ms{one.few:9.2f} ms{ratio:8.2f}  {verdict}", flush=True)
