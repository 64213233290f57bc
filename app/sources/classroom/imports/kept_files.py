"""How long the file of an import is kept between its preview and its confirmation."""

from datetime import timedelta

from sqlalchemy import delete

from app.clock import now
from app.sources.classroom.models import ImportFile
from app.transaction import Transaction

KEPT_FOR = timedelta(hours=1)


def forget_files(tx: Transaction) -> None:
    """Delete the files whose hour is over."""
    tx.session.execute(delete(ImportFile).where(ImportFile.created_at <= now() - KEPT_FOR))
