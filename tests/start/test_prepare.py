"""Bringing the database up to date before anything starts."""

from pathlib import Path

import pytest

from app.start.error import StartError
from app.start.prepare import load_demo, migrate

AN_APP = """
import click
from flask import Flask
from flask.cli import AppGroup
app = Flask("stand-in")
db = AppGroup("db")
app.cli.add_command(db)
@db.command()
def upgrade():
    {body}
"""


def test_a_database_that_cannot_be_prepared_is_told_in_the_words_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "wsgi.py").write_text(AN_APP.format(body="raise click.ClickException('connection refused')"))
    with pytest.raises(StartError) as error:
        migrate(tmp_path)
    assert "connection refused" in str(error.value)
    assert "Preparing failed in `flask db upgrade`" in str(error.value)


def test_a_prepared_database_is_no_news(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wsgi.py").write_text(AN_APP.format(body="click.echo('upgraded')"))
    migrate(tmp_path)
    assert capfd.readouterr() == ("", "")
    with pytest.raises(StartError, match="flask demo load"):
        load_demo(tmp_path)
