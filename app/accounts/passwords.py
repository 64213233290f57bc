"""Passwords: hashing and checking with argon2. Slow on purpose, so never inside a transaction."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from flask_babel import gettext as _

from app.faults import Fault, InvalidInput

SHORTEST = 10
LONGEST = 256

_hasher = PasswordHasher()
_nobody = _hasher.hash("nobody has this password")


def hash_password(password: str) -> str:
    """The hash to store. Raises InvalidInput for a password that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        limits = {"shortest": SHORTEST, "longest": LONGEST}
        raise InvalidInput(Fault("password", _("Use %(shortest)d to %(longest)d characters.", **limits)))
    return _hasher.hash(password)


def matches(password_hash: str | None, password: str) -> bool:
    """Whether this is the password. Takes as long for an unknown account as for a known one."""
    try:
        return _hasher.verify(password_hash or _nobody, password[:LONGEST]) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


def outdated(password_hash: str) -> bool:
    """Whether the hash was made with weaker parameters than today's."""
    return _hasher.check_needs_rehash(password_hash)
