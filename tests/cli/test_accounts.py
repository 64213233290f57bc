"""`flask accounts create`."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import Account
from app.accounts.sign_in import recognise
from app.extensions import db
from app.reach.models import LineLink
from tests.cli.run import document, refusal, run
from tests.factories import line_user, make_tutor

TUTOR = ("accounts", "create", "Hanako@Example.jp", "--name", "髙橋 花子", "--role", "member")


def test_an_account_and_its_line_link_are_made_together(sqlite_app: Flask) -> None:
    made = document(run(sqlite_app, *TUTOR, "--line-user-id", line_user(1), "--language", "en", "--json"))
    account = db.session.scalars(select(Account)).one()
    link = db.session.scalars(select(LineLink)).one()
    assert made == {"id": account.id, "role": "member", "can_sign_in": False, "line_linked": True}
    assert (account.email, account.name, account.language) == ("hanako@example.jp", "髙橋 花子", "en")
    assert (link.account_id, link.line_user_id) == (account.id, line_user(1))


def test_without_a_password_nobody_signs_in_and_with_one_they_do(sqlite_app: Flask) -> None:
    run(sqlite_app, *TUTOR)
    assert recognise("hanako@example.jp", "") is None
    staff = ("accounts", "create", "staff@example.jp", "--name", "受付", "--role", "staff")
    result = run(sqlite_app, *staff, "--password-stdin", given="a long password\n")
    assert "can sign in" in result.stdout
    assert "a long password" not in result.output
    assert recognise("staff@example.jp", "a long password") is not None


def test_faults_are_named_on_standard_error_and_nothing_is_printed_on_the_other(sqlite_app: Flask) -> None:
    result = run(sqlite_app, "accounts", "create", "nobody", "--name", " ", "--role", "boss", "--language", "fr")
    assert (result.exit_code, result.stdout) == (1, "")
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["email", "name", "role", "language"]
    assert "admin, staff, member" in result.stderr


@pytest.mark.parametrize(
    ("extra", "given", "field"),
    [
        (["--line-user-id", "hanako"], None, "line_user_id"),
        (["--line-user-id", line_user(7)], None, "line_user_id"),
        (["--password-stdin"], "short\n", "password"),
        (["--password-stdin"], "", "password"),
    ],
)
def test_a_fault_leaves_no_half_of_an_account(
    sqlite_app: Flask, extra: list[str], given: str | None, field: str
) -> None:
    make_tutor(line_user_id=line_user(7))
    assert refusal(run(sqlite_app, *TUTOR, *extra, "--json", given=given)) == [(None, field)]
    assert db.session.scalar(select(Account.id).where(Account.name == "髙橋 花子")) is None


def test_an_address_is_taken_only_once(sqlite_app: Flask) -> None:
    run(sqlite_app, *TUTOR)
    assert refusal(run(sqlite_app, *TUTOR, "--json")) == [(None, "email")]
