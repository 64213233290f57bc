"""How long an inbox takes: 20,000 unread for one account among 1,000,000 notifications, beside one with 200.

`make bench` runs it; it prints the median in milliseconds of the server's time for each page, on both databases, and
how many times as long the full inbox takes as the small one.
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter

from flask import Flask

from app.extensions import db
from app.inbox import queries
from app.kinds import Reader
from benchmarks.house import DATABASES, house
from benchmarks.inbox_rows import COOL, HOT, LOST, fill
from tests.fakes.inbox_kind import greeting
from tests.web.visitor import Visitor

ROUNDS = 31
PAGES = {
    "first page with badge": "/inbox",
    "first unread with badge": "/inbox?box=unread",
    "search, 50 found": "/inbox?q=name",
    "search, nothing found": "/inbox?q=zebra",
}
WHO = {"20,000": HOT, "200": COOL, "newest 20,000 gone": LOST}


def main() -> None:
    """Measure and print."""
    for database in DATABASES:
        with house(database) as app, greeting():
            fill()
            print(f"\n{database:34}" + "".join(f"{who:>20}" for who in WHO) + f"{'20,000 : 200':>16}")
            for name, took in _figures(app).items():
                shown = "".join(f"{one:17.1f} ms" for one in took)
                print(f"{name:34}{shown}{took[0] / took[1]:16.2f}", flush=True)


def _figures(app: Flask) -> dict[str, list[float]]:
    figures = {
        name: _medians([_page(app, account, address) for account in WHO.values()]) for name, address in PAGES.items()
    }
    figures["the badge alone"] = _medians([_badge(app, account) for account in WHO.values()])
    return figures


def _page(app: Flask, account: int, address: str) -> Callable[[], object]:
    visitor = Visitor(app, account)

    def look() -> None:
        with app.app_context():  # one of its own, as in real life: who is signed in is kept in it
            assert visitor.get(address).status_code == 200

    return look


def _badge(app: Flask, account: int) -> Callable[[], object]:
    def ask() -> None:
        with app.app_context():
            queries.unread(Reader(account, "member"))

    return ask


def _medians(asked: list[Callable[[], object]]) -> list[float]:
    """Taken in turns, so that whatever else the machine does falls on all of them alike. In milliseconds."""
    took: list[list[float]] = [[] for _ in asked]
    for _ in range(ROUNDS):
        for one, times in zip(asked, took, strict=True):
            db.session.rollback()
            start = perf_counter()
            one()
            times.append((perf_counter() - start) * 1000)
    return [median(times) for times in took]


if __name__ == "__main__":
    main()
