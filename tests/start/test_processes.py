"""The processes of a run end together, whoever ends first and however the run itself ends."""

import os
import signal
from subprocess import Popen

import pytest

from tests.start.scripts import is_running, line_with, python, rest, until

# A process that tells its own id and that of a child of its own.
PARENT = (
    "import os, subprocess, sys; c = subprocess.Popen(['sleep', '600']); print('pids', os.getpid(), c.pid); c.wait()"
)

A_RUN = """
import multiprocessing, os, pathlib, sys
from app.start.processes import Processes
multiprocessing.set_start_method("fork")
lock = os.open("/dev/null", os.O_RDONLY)
processes = Processes(pathlib.Path.cwd(), lock, on_started=lambda: print("begun", flush=True))
rests = "echo listens; while :; do sleep 0.1; done"
processes.add("redis", ["sh", "-c", "trap 'echo redis ends; exit' TERM; " + rests], True)
processes.add("web", ["sh", "-c", "trap 'sleep 0.5; echo web ends; exit' TERM; " + rests])
processes.add("worker", [sys.executable, "-c", sys.argv[1]])
processes.loop()
print("END", processes.how_it_ended(), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything_and_is_no_fault(number: signal.Signals) -> None:
    with python(A_RUN, PARENT) as run:
        pids = _pids(run)
        run.send_signal(number)
        said = rest(run)
        assert run.wait() == 0
    assert not any(map(is_running, pids))
    assert "END None" in said
    assert "Traceback" not in said


def test_what_the_others_need_ends_last() -> None:
    with python(A_RUN, PARENT) as run:
        for _each in ("redis", "web"):
            line_with(run, "listens")  # one that is ended before has nothing to say
        run.send_signal(signal.SIGINT)
        said = rest(run)
    assert said.index("web ends") < said.index("redis ends")


def test_a_signal_before_every_process_has_come_up_ends_everything_too() -> None:
    with python(A_RUN, PARENT) as run:
        line_with(run, "begun")
        run.send_signal(signal.SIGINT)
        said = rest(run)
        assert run.wait() == 0
    assert "Traceback" not in said


def test_a_process_that_ends_by_itself_ends_the_others_and_is_named() -> None:
    with python(A_RUN, "import sys; print('no more'); sys.exit(3)") as run:
        said = rest(run)
    assert "worker ended with code 3, so everything was stopped; its last words are above." in said
    assert "redis ends" in said


def test_a_process_that_was_killed_is_named_and_what_it_had_started_ends_as_well() -> None:
    with python(A_RUN, PARENT) as run:
        worker, grandchild = _pids(run)
        os.kill(worker, signal.SIGKILL)
        assert "END The process worker was killed by SIGKILL" in rest(run)
    assert not is_running(grandchild)


def test_nothing_outlives_a_run_that_was_killed() -> None:
    with python(A_RUN, PARENT) as run:
        pids = _pids(run)
        run.kill()
        run.wait()
        until(lambda: not any(map(is_running, pids)), "the worker and its child have ended")


def test_one_that_does_not_listen_is_killed_after_five_seconds() -> None:
    deaf = "import os, signal, time; signal.signal(15, signal.SIG_IGN); print('pids', os.getpid()); time.sleep(600)"
    with python(A_RUN, deaf) as run:
        pids = _pids(run)
        run.send_signal(signal.SIGTERM)
        rest(run)
    assert not any(map(is_running, pids))


def _pids(run: Popen[str]) -> list[int]:
    return [int(word) for word in line_with(run, "pids").split("pids")[1].split()]
