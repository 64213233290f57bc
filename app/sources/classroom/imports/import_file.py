"""The file of an import, kept privately between its preview and its confirmation."""

from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext as _
from sqlalchemy import ColumnElement, delete, insert, select, update

from app import audit, tokens
from app.accounts.known import SUBJECT
from app.audit import Actor
from app.clock import now
from app.extensions import db
from app.faults import Fault, InvalidInput
from app.names import fits_one_line
from app.sources.classroom.imports.csv_file import read_csv
from app.sources.classroom.imports.headings import WHOLE_FILE
from app.sources.classroom.imports.import_shifts import ImportResult, bring_in, prepare
from app.sources.classroom.imports.kept_files import KEPT_FOR, forget_files
from app.sources.classroom.imports.preview import preview_of
from app.sources.classroom.models import ImportFile
from app.sources.classroom.seen import ChangedMeanwhile, digest
from app.transaction import Transaction, writing

LONGEST_FILE_NAME = 255
"""What is longer is cut."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file as it was uploaded, and when: its days without a year are read as of then, whenever it is confirmed."""

    name: str
    data: bytes
    create_classrooms: bool
    created_at: datetime


def keep_file(tx: Transaction, account_id: int, name: str, data: bytes, *, create_classrooms: bool) -> str:
    """Keep a file for an hour for this account alone, and return the token that opens it.

    Raises InvalidInput for a name that neither database nor page could hold.
    """
    if not fits_one_line(name[:LONGEST_FILE_NAME], LONGEST_FILE_NAME):
        odd = _("The name of this file holds characters that are no text. Rename the file.")
        raise InvalidInput(Fault(WHOLE_FILE, odd))
    forget_files(tx)
    at, token = now(), tokens.import_token()
    kept = {"token": token, "account_id": account_id, "name": name[:LONGEST_FILE_NAME], "data": data}
    tx.session.execute(insert(ImportFile).values(**kept, create_classrooms=create_classrooms, created_at=at))
    return token


def kept_file(token: str, account_id: int) -> KeptFile | None:
    """The file of this token; None when it is an hour old, was imported or dropped, or is another account's."""
    columns = (ImportFile.name, ImportFile.data, ImportFile.create_classrooms, ImportFile.created_at)
    fresh = ImportFile.created_at > now() - KEPT_FOR
    found = db.session.execute(select(*columns).where(_waiting(token, account_id), fresh)).one_or_none()
    return KeptFile(*found) if found else None


def drop_file(tx: Transaction, token: str, account_id: int) -> bool:
    """Forget a file; False when there was none of this account's, or it was imported."""
    dropped = delete(ImportFile).where(_waiting(token, account_id))
    return tx.session.scalar(dropped.returning(ImportFile.token)) is not None


def imported_at(token: str, account_id: int) -> datetime | None:
    """When this account imported the file of this token; None if it did not, or no more than an hour is kept of it."""
    return db.session.scalar(select(ImportFile.imported_at).where(_mine(token, account_id)))


def import_kept(token: str, account_id: int, actor: Actor, seen: str) -> ImportResult | None:
    """Import a kept file and forget what is in it, in one transaction; None when none is there, or it was confirmed.

    `seen` is the digest of the preview that was confirmed. Raises ChangedMeanwhile when another one would be shown
    now, and InvalidInput when what the file names is gone: the file stays then.
    """
    kept = kept_file(token, account_id)
    if kept is None:
        return None
    file = read_csv(kept.data, kept.created_at)
    prepared = prepare(file, create_classrooms=kept.create_classrooms)
    if digest(preview_of(prepared)) != seen:
        raise ChangedMeanwhile
    with writing() as tx:
        if not _emptied(tx, token, account_id):
            return None
        result = bring_in(tx, actor, prepared)
        facts = {"added": result.added, "changed": result.changed, "unchanged": result.unchanged}
        # The import's own entry; each shift that it added or changed has one, too.
        audit.note(tx, actor, "import", (SUBJECT, account_id), facts)
        return result


def _emptied(tx: Transaction, token: str, account_id: int) -> bool:
    """Forget what is in the file, for it is imported now; False when somebody else did, or gave it up."""
    emptied = update(ImportFile).where(_waiting(token, account_id)).values(name="", data=b"", imported_at=now())
    return tx.session.scalar(emptied.returning(ImportFile.token)) is not None


def _waiting(token: str, account_id: int) -> ColumnElement[bool]:
    return _mine(token, account_id) & ImportFile.imported_at.is_(None)


def _mine(token: str, account_id: int) -> ColumnElement[bool]:
    # PostgreSQL takes no NUL, and no token of ours holds one.
    known = token if token.isprintable() else ""
    return (ImportFile.token == known) & (ImportFile.account_id == account_id)
