"""Our workers as they run in earnest: processes of their own."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from app.extensions import db
from app.pulse import living
from tests.fixtures.background import Background, until

WITH_BULK = ("-m", "tests.fakes.workers")
"""`worker.py` in a house that has kinds in bulk, too."""


@contextmanager
def workers(app: Flask, *arguments: str, processes: int = 1) -> Iterator[None]:
    """`worker.py` with these arguments; the block begins when so many workers live."""
    side = Background(app)
    pool = side.spawn("--processes", str(processes), *arguments, program=WITH_BULK)
    try:
        until(lambda: len(living("worker")) == processes, "the workers live")
        db.session.close()
        yield
    finally:
        pool.terminate()
        pool.wait(timeout=30)
        side.end()
