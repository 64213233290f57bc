"""`flask shifts import`."""

from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.create import create_account
from app.extensions import db
from app.sources.classroom.listing import classroom_names
from app.sources.classroom.models import Shift
from app.transaction import writing
from tests.cli.run import document, refusal, run
from tests.sources.files import table

GOOD = "S1,hanako@example.jp,渋谷,2026-11-30,22:00,26:00,confirmed,数学"


@pytest.fixture(autouse=True)
def _hanako(sqlite_app: Flask) -> None:
    with writing() as tx:
        create_account(
            tx, email="hanako@example.jp", name="髙橋", role="member", language="ja", password_hash=None
        )  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shifts.csv"
    path.write_bytes(table(GOOD))
    return path


def _shifts() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(Shift)) or 0


def test_a_file_is_imported_and_says_what_it_did(sqlite_app: Flask, file: Path) -> None:
    command = ("shifts", "import", str(file), "--create-classrooms", "--json")
    expected = {"added": 1, "changed": 0, "unchanged": 0, "new_classrooms": ["渋谷"], "dry_run": False}
    assert document(run(sqlite_app, *command)) == expected
    assert document(run(sqlite_app, *command)) == expected | {"added": 0, "unchanged": 1, "new_classrooms": []}
    assert run(sqlite_app, *command[:3]).stdout == "Shifts: 0 added, 0 changed, 1 unchanged.\n"


def test_a_dry_run_does_it_all_and_keeps_nothing(sqlite_app: Flask, file: Path) -> None:
    command = ("shifts", "import", str(file), "--create-classrooms", "--dry-run")
    assert document(run(sqlite_app, *command, "--json"))["added"] == 1
    assert "nothing was stored" in run(sqlite_app, *command).stdout
    assert (_shifts(), classroom_names()) == (0, {})


def test_a_dry_run_finds_the_faults_too(sqlite_app: Flask, file: Path) -> None:
    assert refusal(run(sqlite_app, "shifts", "import", str(file), "--dry-run", "--json")) == [(2, "classroom")]


def test_every_faulty_line_is_listed_with_its_number_and_nothing_is_stored(sqlite_app: Flask, file: Path) -> None:
    file.write_bytes(table(GOOD, GOOD.replace("S1", "S2").replace("22:00", "late"), "S3"))
    result = run(sqlite_app, "shifts", "import", str(file), "--create-classrooms")
    assert (result.exit_code, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert [line.split(":")[0] for line in lines] == ["line 3, start", "line 4, file", "Nothing was stored."]
    assert (_shifts(), classroom_names()) == (0, {})


def test_a_file_that_is_not_there_is_a_fault_like_any_other(sqlite_app: Flask, tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        assert refusal(run(sqlite_app, "shifts", "import", str(path), "--json")) == [(None, "file")]
