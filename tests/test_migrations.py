"""The migrations: one line, numbered, and leading to the tables that the models describe."""

import re
from pathlib import Path

from alembic.script import ScriptDirectory
from flask_migrate import check

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


def test_the_migrations_make_the_tables_that_the_models_describe(database_url: str) -> None:
    with create_app(settings_for(database_url)).app_context():
        check(directory=str(MIGRATIONS))  # ends with SystemExit when a migration is missing
        db.engine.dispose()
