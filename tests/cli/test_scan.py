"""`flask scan`."""

from flask import Flask
from sqlalchemy import select

from app import pulse
from app.extensions import db
from app.outbox.models import Delivery
from tests.cli.run import document, refusal, run
from tests.factories import make_shift, make_tutor


def test_reminders_run_at_once_and_hand_over_what_they_made(app: Flask) -> None:
    make_shift(make_tutor())
    expected = {"scan": "reminders", "figures": {"shifts": 1, "enqueued": 1}}
    assert document(run(app, "scan", "reminders", "--json")) == expected
    assert db.session.scalars(select(Delivery.state)).all() == ["queued"]
    assert run(app, "scan", "reminders").stdout == "reminders: shifts 1, enqueued 0\n"
    assert pulse.scans()["reminders"].figures == {"shifts": 1, "enqueued": 0}


def test_recovery_runs_too(sqlite_app: Flask) -> None:
    assert document(run(sqlite_app, "scan", "recovery", "--json"))["scan"] == "recovery"


def test_an_unknown_scan_is_told_which_there_are(sqlite_app: Flask) -> None:
    assert refusal(run(sqlite_app, "scan", "stars", "--json")) == [(None, "scan")]
    assert "reminders, announcements, watch, prices, recovery" in run(sqlite_app, "scan", "stars").stderr


def test_a_database_without_tables_gets_a_sentence(sqlite_app: Flask) -> None:
    with db.engine.connect() as connection:
        connection.exec_driver_sql("DROP TABLE scan")
        connection.exec_driver_sql("COMMIT")
    result = run(sqlite_app, "scan", "reminders")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "flask db upgrade" in result.stderr


def test_prices_are_looked_at_at_once(sqlite_app: Flask) -> None:
    assert document(run(sqlite_app, "scan", "prices", "--json")) == {
        "scan": "prices",
        "figures": {"looked": 0, "unanswered": 0, "owed": 0},
    }
