"""One Todoke per folder, and what an earlier run left behind."""

import os
import signal
from pathlib import Path

import pytest

from app.start.error import StartError
from app.start.lock import lock_holders, run_lock
from tests.start.scripts import is_running, line_with, python, until

ADDRESS = "http://127.0.0.1:8000"

A_RUN = """
import subprocess, sys
from pathlib import Path
from app.start.lock import run_lock
with run_lock(Path(sys.argv[1]), "http://127.0.0.1:8000") as lock:
    child = subprocess.Popen(["sleep", "600"], pass_fds=[lock], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print("child", child.pid, flush=True)
    input()
"""


def test_a_second_start_names_the_first_with_its_process_and_address(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    with python(A_RUN, path) as first:
        child = int(line_with(first, "child").split()[1])
        with pytest.raises(StartError, match=rf"already running in this folder \(pid {first.pid}\) at {ADDRESS}"):
            run_lock(path, ADDRESS).__enter__()
        assert is_running(child)
        os.kill(child, signal.SIGKILL)


def test_what_a_killed_run_left_behind_is_ended_and_the_folder_taken_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.lock"
    with python(A_RUN, path) as first:
        child = int(line_with(first, "child").split()[1])
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert lock_holders(path) == [child]

        with run_lock(path, ADDRESS):
            until(lambda: not is_running(child), "the child has ended")
    assert "An earlier run was killed" in capsys.readouterr().err


def test_a_program_that_merely_reads_the_lock_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    with python(A_RUN, path) as first:
        line_with(first, "child")
        with python("import sys; file = open(sys.argv[1]); print('open', flush=True); input()", path) as reader:
            line_with(reader, "open")
            first.kill()
            first.wait()
            with run_lock(path, ADDRESS):
                assert reader.poll() is None


def test_after_an_orderly_end_the_folder_is_free(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    for _ in range(2):
        with run_lock(path, ADDRESS):
            assert path.stat().st_mode & 0o777 == 0o600
