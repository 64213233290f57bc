"""The embedded Redis while the database is prepared."""

import os
from pathlib import Path

import pytest

from app.start.broker import broker_for_preparing, client_of
from app.start.error import StartError
from app.start.lock import lock_holders, run_lock


def test_it_serves_holds_the_lock_and_is_gone_afterwards(short_folder: Path) -> None:
    with run_lock(short_folder / "run.lock", "") as lock, client_of(short_folder / "broker.sock") as client:
        with broker_for_preparing(short_folder, lock):
            assert client.ping()
            assert len(lock_holders(short_folder / "run.lock") or []) == 2
        assert lock_holders(short_folder / "run.lock") == [os.getpid()]
    assert (short_folder / "broker").stat().st_mode & 0o777 == 0o700


def test_a_spoilt_append_only_file_is_told_with_a_way_out(short_folder: Path) -> None:
    spoilt = short_folder / "broker" / "appendonlydir"
    spoilt.mkdir(parents=True)
    (spoilt / "appendonly.aof.manifest").write_text("nonsense")
    with pytest.raises(StartError) as error, broker_for_preparing(short_folder, 0):
        pass
    assert f"move {short_folder / 'broker'} away" in str(error.value)
    assert "manifest" in str(error.value)
