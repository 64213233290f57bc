"""`flask shifts import`: a file as Excel saved it, with and without a dry run, for people and for programs."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from flask import Flask
from sqlalchemy import func, select

from app.accounts.create import create_account
from app.accounts.models import Account
from app.codes import CANCELLATIONS, CancelReason
from app.extensions import db
from app.sources.classroom.models import Shift
from app.transaction import writing
from tests.sources.classroom.imports.excel import CSV, JAPANESE_HEADINGS, saved

LINE = ["S1", "hanako@example.jp", "渋谷", "2099/4/1", "17:00", "25:30", "確定", "鍵"]


class Files:
    """A folder of files, and the command that imports one."""

    def __init__(self, app: Flask, folder: Path) -> None:
        self._app = app
        self._path = folder / "四月.csv"

    def run(self, *lines: list[str], options: str = "") -> Result:
        """Save these lines with Excel and import them."""
        self._path.write_bytes(saved([JAPANESE_HEADINGS, *lines], CSV))
        return self._app.test_cli_runner().invoke(args=["shifts", "import", str(self._path), *options.split()])

    def json(self, *lines: list[str], options: str = "") -> Any:
        """The same, and the document that it prints."""
        return json.loads(self.run(*lines, options=f"--json {options}").stdout)


@pytest.fixture
def files(app: Flask, tmp_path: Path) -> Files:
    with writing() as tx:
        create_account(tx, email="hanako@example.jp", name="花子", role="member", language="ja", password_hash=None)
    return Files(app, tmp_path)


def _count() -> int | None:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(Shift))


def _hanako() -> int:
    return db.session.scalars(select(Account.id).where(Account.name == "花子")).one()


def test_an_import_says_in_a_sentence_what_it_did(files: Files) -> None:
    told = files.run(LINE, options="--create-classrooms")
    assert (told.exit_code, told.stdout) == (0, "New classrooms: 渋谷\nShifts: 1 added, 0 changed, 0 unchanged.\n")
    assert files.run(LINE).stdout == "Shifts: 0 added, 0 changed, 1 unchanged.\n"


def test_an_import_prints_one_json_document(files: Files) -> None:
    assert files.json(LINE, options="--create-classrooms") == {
        "added": 1, "changed": 0, "unchanged": 0, "new_classrooms": ["渋谷"], "dry_run": False,
    }  # fmt: skip


def test_a_dry_run_lists_what_would_happen_and_stores_nothing(files: Files) -> None:
    document = files.json(LINE, options="--create-classrooms --dry-run")
    shift = {
        "external_id": "S1", "tutor": "花子", "classroom": "渋谷", "starts_at": "2099-04-01T08:00:00+00:00",
        "ends_at": "2099-04-01T16:30:00+00:00", "status": "confirmed", "note": "鍵", "deleted": False,
    }  # fmt: skip
    assert document == {
        "added": 1, "changed": 0, "unchanged": 0, "dry_run": True, "new_classrooms": ["渋谷"], "added_shifts": [shift],
        "changed_shifts": [], "clashes": [],
        "unreachable_tutors": [{"account_id": _hanako(), "name": "花子", "why": "line_disabled"}],
    }  # fmt: skip
    assert _count() == 0


def test_a_dry_run_shows_old_and_new_side_by_side(files: Files) -> None:
    files.run(LINE, options="--create-classrooms")
    moved = [*LINE[:4], "18:00", *LINE[5:]]
    (change,) = files.json(moved, options="--dry-run")["changed_shifts"]
    assert (change["old"]["starts_at"], change["new"]["starts_at"]) == (
        "2099-04-01T08:00:00+00:00", "2099-04-01T09:00:00+00:00",
    )  # fmt: skip
    assert change["corrected"] == []
    assert files.run(moved, options="--dry-run").stdout.splitlines() == [
        "- 花子, 渋谷, Wed 1 Apr 2099, 17:00 to Thu 2 Apr 2099, 01:30, confirmed, '鍵'",
        "+ 花子, 渋谷, Wed 1 Apr 2099, 18:00 to Thu 2 Apr 2099, 01:30, confirmed, '鍵'",
        f"! 花子 cannot be reached by LINE: {CANCELLATIONS[CancelReason.LINE_DISABLED].cause}",
        "Dry run, nothing was stored: 0 added, 1 changed, 0 unchanged.",
    ]


def test_a_dry_run_names_two_shifts_at_once(files: Files) -> None:
    other = ["S2", *LINE[1:4], "18:00", *LINE[5:]]
    said = files.run(LINE, other, options="--create-classrooms --dry-run").stdout
    assert (
        "! 花子 would have two shifts at once: 渋谷, Wed 1 Apr 2099, 17:00 to Thu 2 Apr 2099, 01:30; "
        "渋谷, Wed 1 Apr 2099, 18:00 to Thu 2 Apr 2099, 01:30\n"
    ) in said


def test_faults_are_listed_with_line_column_and_what_is_expected_and_end_the_command(files: Files) -> None:
    for options in ("", "--dry-run"):
        refused = files.run([*LINE[:3], "あした", *LINE[4:]], options=options)
        assert refused.exit_code == 1
        assert [line.split(": ")[0] for line in refused.stderr.splitlines()] == [
            "line 2, 日付",
            "line 2, 教室",
            "Nothing was stored.",
        ]
    document = files.json([*LINE[:3], "あした", *LINE[4:]])
    assert [(error["line"], error["field"]) for error in document["errors"]] == [(2, "日付"), (2, "教室")]
    assert _count() == 0


def test_a_file_that_is_not_there_is_a_fault(files: Files, app: Flask) -> None:
    refused = app.test_cli_runner().invoke(args=["shifts", "import", "/nowhere.csv", "--json"])
    assert (refused.exit_code, json.loads(refused.stdout)["errors"][0]["field"]) == (1, "file")
