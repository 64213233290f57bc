"""What breaks while sending: our own database, which is nobody's try, or a source, which is."""

import logging
import sqlite3

from sqlalchemy.exc import InterfaceError, OperationalError

from app.codes import FailureCode
from app.kinds import Kind, TryLater
from app.logs import place_of

BROKEN = TryLater(FailureCode.SOURCE_ERROR)
"""What stands for the verdict that a broken source did not give."""

log = logging.getLogger(__name__)


def is_our_fault(error: Exception) -> bool:
    """Whether our own database is away, locked or full: nobody's try. A wrong statement is the source's fault."""
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    # SQLite calls a wrong statement an operational error, too.
    return getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def log_broken(kind: Kind, error: Exception) -> None:
    """Log what broke in a source, by type and place."""
    log.error("%s broke: %s at %s", kind.name, type(error).__name__, place_of(error))
