"""Names of uploaded files that no text holds: the person is told, and nothing is stored."""

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import func, select

from app import create_app
from app.accounts.models import Account
from app.extensions import db
from app.faults import InvalidInput
from app.sources.classroom.imports.import_file import keep_file
from app.sources.classroom.models import ImportFile
from app.transaction import writing
from tests.factories import make_account
from tests.fixtures.settings import settings_for
from tests.web.visitor import Visitor, text_of

BOUNDARY = "----todoke"
LINE = "tutor_email,classroom,date,start,end,status\r\n{},渋谷,2099-12-01,17:00,20:00,confirmed\r\n"


@pytest.fixture
def site(database_url: str) -> Iterator[Flask]:
    """The app with its pages, on each database."""
    app = create_app(settings_for(database_url))
    yield app
    with app.app_context():
        db.engine.dispose()


def how_many_files() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(ImportFile)) or 0


@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        (b'filename="november.csv"', 303, ""),
        (b'filename="a\x00b.csv"', 400, "This request was not understood"),
        (b"filename*=UTF-8''a%00b.csv", 400, "This request was not understood"),
        (b'filename="a\xed\xb0\x80b.csv"', 400, "Nothing was stored."),
        (b"filename*=UTF-8''a%ED%B0%80b.csv", 422, "The name of this file holds characters that are no text."),
        (b"filename*=UTF-8''a%1Bb.csv", 422, "The name of this file holds characters that are no text."),
    ],
    ids=["good", "NUL", "NUL-escaped", "surrogate", "surrogate-escaped", "control"],
)
def test_a_name_that_is_no_text_is_refused_in_words(site: Flask, name: bytes, status: int, says: str) -> None:
    with site.app_context():
        admin, tutor = make_account("admin"), make_account()
        email = db.session.get_one(Account, tutor).email
    visitor = Visitor(site, admin)
    upload = b'name="file"; ' + name
    parts = {b'name="csrf_token"': visitor.token(), b'name="create_classrooms"': "1", upload: LINE.format(email)}
    body = b"".join(
        b"--%b\r\nContent-Disposition: form-data; %b\r\n\r\n%b\r\n" % (BOUNDARY.encode(), head, text.encode())
        for head, text in parts.items()
    )
    answer = visitor.client.post(
        "/shifts/import",
        data=body + b"--%b--\r\n" % BOUNDARY.encode(),
        content_type=f"multipart/form-data; boundary={BOUNDARY}",
    )
    assert answer.status_code == status, text_of(answer)
    assert says in text_of(answer)
    with site.app_context():
        assert how_many_files() == (1 if status == 303 else 0)


@pytest.mark.parametrize("name", ["", "\x00", "a\x00.csv", "\udc00.csv", "a\ufffd", "two\nlines"])
def test_nothing_is_kept_under_such_a_name(app: Flask, name: str) -> None:
    account = make_account("admin")
    with pytest.raises(InvalidInput), writing() as tx:
        keep_file(tx, account, name, b"x", create_classrooms=False)
    assert how_many_files() == 0


def test_a_long_name_is_cut(app: Flask) -> None:
    account = make_account("admin")
    with writing() as tx:
        keep_file(tx, account, "長" * 300 + "\n", b"x", create_classrooms=False)
    assert db.session.scalars(select(ImportFile.name)).all() == ["長" * 255]
