"""The background's processes: workers and the clock, started together and stopped together."""

import logging
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from flask import Flask

from app import create_app
from app.background import stop, worker
from app.background.clock import Clock
from app.clock import monotonic
from app.engine.handover import hand_over_due
from app.extensions import broker
from app.kinds import QueueName
from app.logs import to_standard_error

_spawn = get_context("spawn")  # a fork would share connections that were open in the parent

LOOKED_AFTER_EVERY = 0.5
LONG = 60.0
"""Seconds after which a process that ends did work: the next one is started soon."""
SHORTEST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds. What cannot start at all, because the database is away, shall not fill the log."""

log = logging.getLogger(__name__)


def run(processes: int, with_clock: bool) -> int:
    """Run until asked to end; the exit code.

    A process that dies leaves its lease, and another is started in its place.
    """
    stop.on_signals()
    kept = [_Kept(f"worker {number}", _work, _queues(number, processes)) for number in range(1, processes + 1)]
    if with_clock:
        kept.append(_Kept("clock", _tick))
    while not stop.wait(LOOKED_AFTER_EVERY):
        for one in kept:
            one.look_after()
    for one in kept:
        one.process.terminate()
    for one in kept:
        one.process.join()
    return 0


def burst(processes: int) -> int:
    """Hand over and work off what is due, and end; the exit code. Runs no scans."""
    app = create_app(pages=False)
    with app.app_context():
        if not broker.answers():
            log.error("Redis does not answer, so nothing was sent. What is owed stays owed.")
            return 1
        hand_over_due()
        _work_off_together(app, processes)
        while hand_over_due():  # what found no room before
            _work_off_together(app, processes)
    return 0


def _queues(number: int, processes: int) -> tuple[QueueName, ...]:
    # With two or more, the first is never busy with what may take long.
    return worker.FREE_OF_SLOW if number == 1 and processes > 1 else worker.ALL


def _start(name: str, target: Callable[..., None], *args: object) -> BaseProcess:
    process = _spawn.Process(target=target, args=args, name=name)
    process.start()
    return process


class _Kept:
    """A process that is started again whenever it ends: at once, or after a while if it did not live long."""

    def __init__(self, name: str, target: Callable[..., None], *args: object) -> None:
        self._start = partial(_start, name, target, *args)
        self._wait = SHORTEST_WAIT
        self._again_at: float | None = None
        self._begin()

    def look_after(self) -> None:
        """See to it that it lives, or will."""
        if self._again_at is not None:
            if monotonic() >= self._again_at:
                self._begin()
        elif not self.process.is_alive():
            self._mourn()

    def _begin(self) -> None:
        self._again_at, self._started_at = None, monotonic()
        self.process = self._start()

    def _mourn(self) -> None:
        lived_long = monotonic() - self._started_at >= LONG
        self._wait = SHORTEST_WAIT if lived_long else min(self._wait * 2, LONGEST_WAIT)
        self._again_at = monotonic() + self._wait
        name, code = self.process.name, self.process.exitcode
        log.error("the %s ended by itself (exit code %s), and is started again in %g s", name, code, self._wait)


def _work(queues: tuple[QueueName, ...]) -> None:
    to_standard_error()
    worker.work(create_app(pages=False), queues)


def _tick() -> None:
    to_standard_error()
    Clock(create_app(pages=False)).run()


def _work_off_together(app: Flask, processes: int) -> None:
    helpers = [_start(f"worker {number}", _work_off) for number in range(2, processes + 1)]
    worker.work_off(app)
    for helper in helpers:
        helper.join()


def _work_off() -> None:
    to_standard_error()
    app = create_app(pages=False)
    with app.app_context():
        worker.work_off(app)
