"""`flask accounts`: the people."""

import sys

import click
from flask import current_app
from flask.cli import AppGroup

from app.accounts import edit as editing
from app.accounts import invitations
from app.accounts.create import create_account
from app.accounts.known import id_of
from app.accounts.passwords import hash_password
from app.audit import COMMAND_LINE
from app.cli.output import emit, explains_faults, json_option
from app.clock import now
from app.config import Settings
from app.faults import Fault, InvalidInput
from app.operations import access, deletion, people
from app.reach.link import link_line
from app.sources.classroom.shifts.listing import shifts_to_come
from app.transaction import writing

accounts = AppGroup("accounts", help="People who sign in, are told something, or both.")

email_argument = click.argument("email")


@accounts.command("create")
@email_argument
@click.option("--name", required=True, help="As messages and pages call this person.")
@click.option("--role", required=True, metavar="admin|staff|member")
@click.option("--language", default="ja", show_default=True, metavar="ja|en", help="Language of pages and messages.")
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


@accounts.command("invite")
@email_argument
@json_option
@explains_faults
def invite(email: str, as_json: bool) -> None:
    """Print a link by which this account's owner sets a password, once; older links end."""
    settings: Settings = current_app.config["SETTINGS"]
    account_id = id_of(email)
    with writing() as tx:
        link = settings.invitation_url(invitations.invite(tx, COMMAND_LINE, account_id))
    days = invitations.GOOD_FOR.days
    lines = [link, f"It is good once, for {days} days, and is kept nowhere: pass it on now."]
    emit({"id": account_id, "link": link, "good_for_days": days}, as_json, lines)


@accounts.command("edit")
@email_argument
@click.option("--new-email", metavar="EMAIL", help="The e-mail address to sign in with from now on.")
@click.option("--name", help="As messages and pages call this person.")
@click.option("--role", metavar="admin|staff|member", help="Ends every session, and pushes with them.")
@click.option("--language", metavar="ja|en", help="Language of pages and messages.")
@json_option
@explains_faults
def edit(
    email: str, new_email: str | None, name: str | None, role: str | None, language: str | None, as_json: bool
) -> None:
    """Change an account; what is not named stays. All or nothing."""
    account_id = id_of(email)
    with writing() as tx:
        editing.change_account(tx, COMMAND_LINE, account_id, email=new_email, name=name)
        if role is not None:
            access.set_role(tx, COMMAND_LINE, account_id, role)
        if language is not None:
            people.set_language(tx, COMMAND_LINE, account_id, language)
    emit({"id": account_id}, as_json, [f"Account {account_id} was changed."])


@accounts.command("suspend")
@email_argument
@json_option
@explains_faults
def suspend(email: str, as_json: bool) -> None:
    """Neither let an account in nor tell it anything, from now on."""
    account_id = id_of(email)
    with writing() as tx:
        changed = access.suspend(tx, COMMAND_LINE, account_id) is not None
    told = "is suspended: what waited for it has ended" if changed else "was suspended already"
    emit({"id": account_id, "changed": changed}, as_json, [f"Account {account_id} {told}."])


@accounts.command("resume")
@email_argument
@json_option
@explains_faults
def resume(email: str, as_json: bool) -> None:
    """Let a suspended account in again, and tell it things."""
    account_id = id_of(email)
    with writing() as tx:
        changed = access.resume(tx, COMMAND_LINE, account_id)
    told = "is active again" if changed else "was active already"
    emit({"id": account_id, "changed": changed}, as_json, [f"Account {account_id} {told}."])


@accounts.command("delete")
@email_argument
@click.option("--yes", is_flag=True, help="Also when it has shifts to come, which are then without a tutor.")
@json_option
@explains_faults
def delete(email: str, yes: bool, as_json: bool) -> None:
    """Delete an account for good; history keeps what it did, without its name."""
    account_id = id_of(email)
    shifts = shifts_to_come(account_id, now())
    if shifts and not yes:
        message = f"It has {shifts} shifts to come, which would be without a tutor. Give --yes to go on."
        raise InvalidInput(Fault("email", message))
    with writing() as tx:
        deletion.delete_account(tx, COMMAND_LINE, account_id)
    emit({"id": account_id, "shifts_to_come": shifts}, as_json, [f"Account {account_id} was deleted."])


def _read_password() -> str:
    """A line of standard input; from a person at a terminal, asked for twice and not shown."""
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _abilities(can_sign_in: bool, linked: bool) -> str:
    sign_in = "can sign in" if can_sign_in else "cannot sign in"
    return f"{sign_in}, {'gets' if linked else 'gets no'} LINE messages"
