"""The background's processes: workers and the clock, started together and stopped together."""

import logging
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from flask import Flask

from app import create_app
from app.background import stop, worker
from app.background.clock import Clock
from app.engine.handover import hand_over_due
from app.extensions import broker
from app.kinds import QueueName
from app.logs import to_standard_error

_spawn = get_context("spawn")  # a fork would share connections that were open in the parent

log = logging.getLogger(__name__)


def run(processes: int, with_clock: bool) -> int:
    """Run until asked to end; the exit code.

    A worker that dies leaves its lease, and the others go on. Without any worker, or without the clock, all of it
    ends with code 1, so that whoever supervises it starts it again.
    """
    stop.on_signals()
    workers = [_start(f"worker {number}", _work, _queues(number, processes)) for number in range(1, processes + 1)]
    clocks = [_start("clock", _tick)] if with_clock else []
    code = _watch(workers, clocks)
    for process in (*workers, *clocks):
        process.terminate()
    for process in (*workers, *clocks):
        process.join()
    return code


def burst(processes: int) -> int:
    """Hand over and work off what is due, and end; the exit code. Runs no scans."""
    app = create_app(pages=False)
    with app.app_context():
        if not broker.answers():
            log.error("Redis does not answer, so nothing was sent. What is owed stays owed.")
            return 1
        handed_over = 1
        while handed_over:
            handed_over = hand_over_due()
            _work_off_together(app, processes)
    return 0


def _queues(number: int, processes: int) -> tuple[QueueName, ...]:
    # With two or more, the first is never busy with what may take long.
    return worker.FREE_OF_SLOW if number == 1 and processes > 1 else worker.ALL


def _start(name: str, target: Callable[..., None], *args: object) -> BaseProcess:
    process = _spawn.Process(target=target, args=args, name=name)
    process.start()
    return process


def _watch(workers: Sequence[BaseProcess], clocks: Sequence[BaseProcess]) -> int:
    missed: set[str] = set()
    while not stop.wait(0.5):
        for process in (*workers, *clocks):
            if not process.is_alive() and process.name not in missed:
                missed.add(process.name)
                log.error("the %s ended by itself (exit code %s)", process.name, process.exitcode)
        if not any(process.is_alive() for process in workers) or not all(process.is_alive() for process in clocks):
            return 1
    return 0


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
