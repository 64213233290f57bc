"""The migrations: one line, numbered, and leading to the tables that the models describe."""

import re
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from flask_migrate import check, downgrade, upgrade
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from app import create_app
from app.config import ROOT
from app.extensions import db
from tests.fixtures.settings import settings_for

MIGRATIONS = ROOT / "migrations"


def test_migrations_form_one_line_with_a_single_head() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert len(scripts.get_heads()) == 1
    assert len(scripts.get_bases()) == 1
    assert not [script.path for script in scripts.walk_revisions() if script.is_branch_point or script.is_merge_point]


def test_migrations_are_numbered_in_their_order_and_named_by_a_sentence() -> None:
    oldest_first = reversed(list(ScriptDirectory(str(MIGRATIONS)).walk_revisions()))
    for number, script in enumerate(oldest_first, start=1):
        assert script.revision == f"{number:04d}", script.path
        assert re.fullmatch(rf"{script.revision}(_[a-z0-9]+){{2,}}\.py", Path(script.path).name), script.path
        assert script.doc.endswith("."), f"{script.path}: its docstring is the sentence that says what it does"


@pytest.mark.filterwarnings("ignore:.*expression-based index")  # which SQLite tells nobody about
def test_the_migrations_make_the_tables_that_the_models_describe(database_url: str) -> None:
    with create_app(settings_for(database_url)).app_context():
        check(directory=str(MIGRATIONS))  # ends with SystemExit when a migration is missing
        db.engine.dispose()


def test_tries_of_before_say_whether_they_may_have_arrived(database_url: str) -> None:
    tries = {
        ("accepted", None): True, ("already_accepted", None): True, ("accepted", "SOURCE_ERROR"): True,
        ("lost", "WORKER_LOST"): True, (None, None): True, ("transient", "LINE_TIMEOUT"): True,
        ("transient", "LINE_SERVER_ERROR"): True, ("transient", "LINE_CONNECTION_LOST"): True,
        ("rejected", "LINE_REDIRECTED"): True, ("rejected", "LINE_CONFLICT"): True,
        ("transient", "LINE_UNREACHABLE"): False, ("rejected", "LINE_BAD_REQUEST"): False,
        ("rejected", "LINE_RATE_LIMITED"): False, ("unanswered", "SOURCE_ERROR"): False,
    }  # fmt: skip
    with create_app(settings_for(database_url)).app_context():
        downgrade(directory=str(MIGRATIONS), revision=_before("may_have_arrived"))
        with db.engine.begin() as connection:
            connection.execute(text(_OLD_DELIVERY))
            for number, (outcome, code) in enumerate(tries, start=1):
                row = {"number": number, "outcome": outcome, "code": code}
                connection.execute(text(_OLD_ATTEMPT), row)
        upgrade(directory=str(MIGRATIONS))
        with db.engine.connect() as connection:
            found = connection.execute(text("SELECT outcome, code, may_have_arrived FROM attempt"))
            assert {(outcome, code): bool(arrived) for outcome, code, arrived in found} == tries
        db.engine.dispose()


@pytest.mark.filterwarnings("ignore:.*expression-based index")  # which SQLite tells nobody about
def test_what_was_watched_and_said_before_is_kept(database_url: str) -> None:
    with create_app(settings_for(database_url)).app_context():
        downgrade(directory=str(MIGRATIONS), revision=_before("may_be_sent_again"))
        with db.engine.begin() as connection:
            for statement in (*_OLD_WATCH, _OLD_DELIVERY, _OLD_SAID):
                connection.execute(text(statement))
        upgrade(directory=str(MIGRATIONS))
        with db.engine.begin() as connection:
            said = connection.execute(text("SELECT price, target, percent, baseline FROM said")).one()
            assert said == (14000000, 15000000, None, 19800000)
            assert connection.execute(text("SELECT named_currency, title FROM item")).one() == ("JPY", "kettle")
            assert connection.execute(text("SELECT count(*) FROM observation")).scalar() == 1
        for refused in ("DELETE FROM item", "DELETE FROM watch", "UPDATE item SET adapter = 'other'"):
            with pytest.raises(IntegrityError), db.engine.begin() as connection:
                connection.execute(text(refused))
        check(directory=str(MIGRATIONS))
        db.engine.dispose()


@pytest.mark.filterwarnings("ignore:.*expression-based index")  # which SQLite tells nobody about
def test_what_is_sold_in_two_currencies_survives_the_way_back(database_url: str) -> None:
    with create_app(settings_for(database_url)).app_context():
        with db.engine.begin() as connection:
            for currency in ("JPY", "EUR"):
                connection.execute(text(_ITEM), {"currency": currency})
        downgrade(directory=str(MIGRATIONS), revision=_before("may_be_sent_again"))
        upgrade(directory=str(MIGRATIONS))
        with db.engine.connect() as connection:
            found = connection.execute(text("SELECT url, named_currency FROM item ORDER BY id")).all()
        assert found == [("https://a.example/", "JPY"), ("https://a.example/#2", "EUR")]
        db.engine.dispose()


_ITEM = """
    INSERT INTO item (url, adapter, price_path, stock_path, title, named_currency, currency, failures, created_at)
    VALUES ('https://a.example/', 'page', '', '', 'kettle', :currency, :currency, 0, '2027-02-01 00:00:00.000000')
"""
_OLD_WATCH = (
    "INSERT INTO account (id, email, name, role, language, active, created_at)"
    " VALUES (1, 'a@example.jp', 'A', 'member', 'ja', true, '2027-02-01 00:00:00.000000')",
    "INSERT INTO item (id, url, host, adapter, price_path, stock_path, title, currency, failures, created_at)"
    " VALUES (7, 'https://a.example/', 'a.example', 'page', '', '', 'kettle', 'JPY', 0, '2027-02-01 00:00:00.000000')",
    "INSERT INTO watch (id, account_id, item_id, trigger, target, baseline, created_at)"
    " VALUES (5, 1, 7, 'below_target', 15000000, 19800000, '2027-02-01 00:00:00.000000')",
    "INSERT INTO observation (item_id, at, price, in_stock) VALUES (7, '2027-02-01 00:00:00.000000', 19800000, true)",
    "INSERT INTO finding (id, watch_id, trigger, local_day, price, found_at)"
    " VALUES (3, 5, 'below_target', '2027-02-01', 14000000, '2027-02-01 00:00:00.000000')",
)
_OLD_SAID = """
    INSERT INTO said (delivery_id, finding_id, price, currency, read_at)
    VALUES (1, 3, 14000000, 'JPY', '2027-02-01 00:00:00.000000')
"""
_OLD_DELIVERY = """
    INSERT INTO delivery (id, kind, channel, dedup_key, subject_type, subject_id, address_type, address_id,
        address_label, gate_key, state, attempts, round_attempts, next_trigger, rescues, key_ambiguous, dead_letter,
        already_accepted, created_at, updated_at)
    VALUES (1, 'probe', 'line', 'k', 'probe', 1, 'line_link', 1, '佐藤', 'line', 'failed', 14, 1, 'auto', 0, false,
        false, false, '2026-11-30 00:00:00.000000', '2026-11-30 00:00:00.000000')
"""
_OLD_ATTEMPT = """
    INSERT INTO attempt (delivery_id, number, trigger, started_at, outcome, code)
    VALUES (1, :number, 'auto', '2026-11-30 00:00:00.000000', :outcome, :code)
"""


def _before(name: str) -> str:
    """The revision before the one whose file bears this name."""
    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    return next(str(one.down_revision) for one in scripts if Path(one.path).stem.endswith(name))
