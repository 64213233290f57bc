"""`flask vapid new`: a key pair that the settings take, and that is nowhere kept."""

from pathlib import Path

import pytest
from flask import Flask
from pydantic import SecretStr

from app import config
from app.config import Settings
from app.vapid import public_key
from tests.cli.run import run


def test_a_new_key_is_printed_as_the_line_for_the_environment(sqlite_app: Flask) -> None:
    printed = run(sqlite_app, "vapid", "new")
    name, _, key = printed.stdout.splitlines()[0].partition("=")

    assert name == "VAPID_PRIVATE_KEY"
    assert config.push_key(Settings(vapid_private_key=SecretStr(key))) == key
    assert public_key(key) in printed.stdout
    assert "Put the first line into the environment" in printed.stderr


def test_each_is_another(sqlite_app: Flask) -> None:
    assert run(sqlite_app, "vapid", "new").stdout != run(sqlite_app, "vapid", "new").stdout


def test_without_one_a_key_is_made_once_for_all_processes_and_for_the_owner_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(config, "INSTANCE", tmp_path / "instance")
    settings = Settings(vapid_private_key=None)
    keys = {config.push_key(settings) for _ in range(3)}

    assert len(keys) == 1
    assert len(public_key(keys.pop())) == 87
    file = tmp_path / "instance" / "vapid_key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["vapid_key"]


def test_a_file_that_cannot_be_read_stops_the_start_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(config, "INSTANCE", tmp_path)
    (tmp_path / "vapid_key").mkdir()
    with pytest.raises(config.ConfigurationError, match=r"vapid_key: cannot be read or made \("):
        config.push_key(Settings(vapid_private_key=None))


@pytest.mark.parametrize("content", ["", "garbage", "A" * 43])
def test_a_damaged_file_stops_the_start_instead_of_silencing_every_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    monkeypatch.setattr(config, "INSTANCE", tmp_path)
    (tmp_path / "vapid_key").write_text(content)

    with pytest.raises(config.ConfigurationError, match=r"vapid_key: .*Put the old key back"):
        config.push_key(Settings(vapid_private_key=None))
    assert (tmp_path / "vapid_key").read_text() == content
