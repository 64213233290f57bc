"""Making an account."""

import re
from collections.abc import Iterator

from flask_babel import gettext as _

from app.accounts.models import NAMED, Account
from app.clock import now
from app.config import LANGUAGES
from app.faults import Fault, InvalidInput
from app.names import faults_of
from app.transaction import Transaction

LONGEST_EMAIL = 254

_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f-\x9f]+@[^@\s\x00-\x1f\x7f-\x9f]+\.[^@\s\x00-\x1f\x7f-\x9f]+")


def create_account(
    tx: Transaction, *, email: str, name: str, role: str, language: str, password_hash: str | None
) -> int:
    """Make an account and return its id. Raises InvalidInput with every fault, also for an e-mail already taken."""
    email, name = email.strip().lower(), name.strip()
    faults = list(_faults(email, name, role, language))
    if faults:
        raise InvalidInput(*faults)
    made = tx.session.scalar(
        tx.insert(Account)
        .values(
            email=email, name=name, role=role, language=language, password_hash=password_hash,
            active=True, created_at=now(),
        )
        .on_conflict_do_nothing(index_elements=["email"])
        .returning(Account.id)
    )  # fmt: skip
    if made is None:
        raise InvalidInput(Fault("email", _("An account with this e-mail address already exists.")))
    return int(made)


def email_faults(email: str) -> Iterator[Fault]:
    """What is wrong with an e-mail address, if anything."""
    # The length first: of a long text with many dots each place would be tried, for minutes.
    if len(email) > LONGEST_EMAIL or not _EMAIL.fullmatch(email):
        yield Fault("email", _("Enter an e-mail address such as sato@example.jp."))


def role_faults(role: str) -> Iterator[Fault]:
    """What is wrong with a role, if anything."""
    if role not in NAMED:
        yield Fault("role", _("Choose one of: %(choices)s.", choices=", ".join(NAMED)))


def _faults(email: str, name: str, role: str, language: str) -> Iterator[Fault]:
    yield from email_faults(email)
    yield from faults_of(name)
    yield from role_faults(role)
    if language not in LANGUAGES:
        yield Fault("language", _("Choose one of: %(choices)s.", choices=", ".join(LANGUAGES)))
