"""`flask accounts`: the people."""

import sys

import click
from flask.cli import AppGroup

from app.accounts.create import create_account
from app.accounts.passwords import hash_password
from app.cli.output import emit, explains_faults, json_option
from app.reach.link import link_line
from app.transaction import writing

accounts = AppGroup("accounts", help="People who sign in, are told something, or both.")


@accounts.command("create")
@click.argument("email")
@click.option("--name", required=True, help="As messages and pages call this person.")
@click.option("--role", required=True, metavar="admin|staff|member")
@click.option("--language", default="ja", show_default=True, metavar="ja|en", help="Of pages and messages.")
@click.option("--line-user-id", metavar="ID", help="U and 32 digits or letters a to f: where LINE messages go.")
@click.option("--password-stdin", is_flag=True, help="Read a password from standard input. Without: no sign-in.")
@json_option
@explains_faults
def create(
    email: str, name: str, role: str, language: str, line_user_id: str | None, password_stdin: bool, as_json: bool
) -> None:
    """Make an account, with its LINE link if an id is given."""
    password_hash = hash_password(_read_password()) if password_stdin else None
    with writing() as tx:
        account_id = create_account(
            tx, email=email, name=name, role=role, language=language, password_hash=password_hash
        )  # fmt: skip
        if line_user_id is not None:
            link_line(tx, account_id, line_user_id)
    linked = line_user_id is not None
    document = {"id": account_id, "role": role, "can_sign_in": password_stdin, "line_linked": linked}
    emit(document, as_json, [f"Account {account_id} was made: {_abilities(password_stdin, linked)}."])


def _read_password() -> str:
    """A line of standard input; from a person at a terminal, asked for twice and not shown."""
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _abilities(can_sign_in: bool, linked: bool) -> str:
    sign_in = "can sign in" if can_sign_in else "cannot sign in"
    return f"{sign_in}, {'gets' if linked else 'gets no'} LINE messages"
