"""`flask publications send`."""

from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

from app import audit
from app.extensions import db
from app.sources.classroom.models import Classroom, Publication, PublicationImage
from tests.cli.run import document, refusal, run
from tests.factories import all_deliveries, change, make_classroom, make_tutor
from tests.web.classroom import give_group, next_month, shift_on

MONTH = f"{next_month():%Y-%m}"


@pytest.fixture
def room(sqlite_app: Flask) -> int:
    made = make_classroom()
    change(Classroom, made, name="渋谷教室")
    give_group(made)
    shift_on(next_month(), make_tutor(), classroom_id=made)
    return made


@pytest.mark.usefixtures("room")
def test_a_table_is_drawn_and_owed_to_its_groups(sqlite_app: Flask) -> None:
    sent = document(run(sqlite_app, "publications", "send", MONTH, "--classroom", "渋谷教室", "--json"))
    assert sent == {
        "id": sent["id"], "month": MONTH, "classroom": "渋谷教室", "revision": 1, "groups": ["渋谷グループ"],
        "missing_characters": [],
    }  # fmt: skip
    assert [one.kind for one in all_deliveries()] == ["shift_table"]
    assert [one.actor_name for one in audit.entries("publication", sent["id"])] == ["command line"]
    told = run(sqlite_app, "publications", "send", MONTH).stdout
    assert told.endswith("(revision 1) is on its way to: 渋谷グループ.\n")


@pytest.mark.usefixtures("room")
def test_a_picture_goes_out_instead(sqlite_app: Flask, tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    Image.new("RGB", (300, 200), "white").save(path)
    sent = document(run(sqlite_app, "publications", "send", MONTH, "--image", str(path), "--json"))
    stored = db.session.get_one(PublicationImage, sent["id"]).png
    assert Image.open(BytesIO(stored)).size == (300, 200)
    path.write_bytes(b"%PDF-1.7")
    for file in (path, tmp_path / "none.png"):
        assert refusal(run(sqlite_app, "publications", "send", MONTH, "--image", str(file), "--json")) == [
            (None, "image")
        ]


@pytest.mark.parametrize("month", ["december", "2026-13", "2020-01", "0001-01", "9999-12", "2026-12-01"])
@pytest.mark.usefixtures("room")
def test_a_month_that_makes_no_sense_is_refused(sqlite_app: Flask, month: str) -> None:
    assert refusal(run(sqlite_app, "publications", "send", month, "--json")) == [(None, "month")]


def test_what_stands_in_the_way_is_said_and_nothing_sent(sqlite_app: Flask) -> None:
    command = ("publications", "send", MONTH, "--json")
    assert refusal(run(sqlite_app, *command)) == [(None, "month")]
    shift_on(next_month(), make_tutor())
    assert refusal(run(sqlite_app, *command)) == [(None, "LINE_GROUP_ID")]
    assert refusal(run(sqlite_app, *command, "--classroom", "どこか")) == [(None, "classroom")]
    assert db.session.query(Publication).count() == 0
