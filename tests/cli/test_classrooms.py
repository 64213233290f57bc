"""`flask classrooms create`."""

from flask import Flask

from app.sources.classroom.shifts.listing import classroom_names
from tests.cli.run import document, refusal, run


def test_a_classroom_is_made(sqlite_app: Flask) -> None:
    made = document(run(sqlite_app, "classrooms", "create", "渋谷教室", "--json"))
    assert made["name"] == "渋谷教室"
    assert classroom_names() == {made["id"]: "渋谷教室"}


def test_a_name_that_is_taken_or_no_name_is_refused(sqlite_app: Flask) -> None:
    run(sqlite_app, "classrooms", "create", "渋谷教室")
    assert refusal(run(sqlite_app, "classrooms", "create", "渋谷教室", "--json")) == [(None, "name")]
    assert refusal(run(sqlite_app, "classrooms", "create", " ", "--json")) == [(None, "name")]
    result = run(sqlite_app, "classrooms", "create", "渋谷教室")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "already exists" in result.stderr
