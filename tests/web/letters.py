"""Notifications in the inboxes of visitors."""

from datetime import timedelta
from typing import Any

from flask import Flask

from app.clock import now
from app.extensions import db
from app.inbox.models import Notification
from tests.factories import change, make_account
from tests.inbox.inboxes import tell
from tests.web.visitor import Visitor


def told(app: Flask, visitor: Visitor, name: str = "田中", *, ago: timedelta = timedelta(0), **values: Any) -> int:
    """A notification for this visitor about somebody of this name, and its id."""
    assert visitor.account_id is not None
    with app.app_context():
        (made,) = tell(make_account(name=name), visitor.account_id)
        change(Notification, made, created_at=now() - ago, **values)
        return made


def letter(app: Flask, notification_id: int) -> Notification:
    """How it stands in the database."""
    with app.app_context():
        return db.session.get_one(Notification, notification_id)
