"""`flask accounts`."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import Account
from app.accounts.passwords import hash_password
from app.accounts.sign_in import recognise
from app.extensions import db
from app.operations.access import accept_invitation
from app.reach.models import LineLink
from app.transaction import writing
from tests.cli.run import document, refusal, run
from tests.factories import line_user, make_account, make_shift, make_tutor

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


def email_of(account: int) -> str:
    return db.session.get_one(Account, account).email


def test_an_invitation_is_printed_and_lets_in(sqlite_app: Flask) -> None:
    account = make_account()
    printed = document(run(sqlite_app, "accounts", "invite", email_of(account).upper(), "--json"))
    link, good = printed["link"], printed["good_for_days"]
    assert (printed["id"], good) == (account, 7)
    assert link.startswith("http://127.0.0.1:8000/invitations/")
    password_hash = hash_password("a long password")
    with writing() as tx:
        assert accept_invitation(tx, link.rpartition("/")[2], password_hash, "", None) is not None
    assert run(sqlite_app, "accounts", "invite", email_of(account)).stdout.startswith(
        "http://127.0.0.1:8000/invitations/"
    )


def test_an_account_is_changed_as_far_as_it_is_named_all_or_nothing(sqlite_app: Flask) -> None:
    account = make_account(name="佐藤", language="ja")
    command = ("accounts", "edit", email_of(account))
    refused = run(sqlite_app, *command, "--name", "鈴木", "--role", "boss", "--json")
    assert refusal(refused) == [(None, "role")]
    assert db.session.get_one(Account, account).name == "佐藤"
    run(sqlite_app, *command, "--new-email", "Suzuki@example.jp", "--role", "staff", "--language", "en")
    row = db.session.get_one(Account, account)
    assert (row.email, row.name, row.role, row.language) == ("suzuki@example.jp", "佐藤", "staff", "en")


def test_an_account_is_suspended_and_resumed_and_the_last_administrator_is_not(sqlite_app: Flask) -> None:
    account, admin = make_account(), make_account("admin", password="a long password")
    for act, changed in (("suspend", True), ("suspend", False), ("resume", True), ("resume", False)):
        printed = document(run(sqlite_app, "accounts", act, email_of(account), "--json"))
        assert printed == {"id": account, "changed": changed}
    assert refusal(run(sqlite_app, "accounts", "suspend", email_of(admin), "--json")) == [(None, "account")]


def test_an_account_with_shifts_to_come_is_deleted_only_with_yes(sqlite_app: Flask) -> None:
    tutor = make_tutor()
    make_shift(tutor)
    command = ("accounts", "delete", email_of(tutor), "--json")
    assert refusal(run(sqlite_app, *command)) == [(None, "email")]
    assert document(run(sqlite_app, *command, "--yes")) == {"id": tutor, "shifts_to_come": 1}
    assert db.session.get_one(Account, tutor).deleted_at is not None
    assert refusal(run(sqlite_app, *command)) == [(None, "email")]
