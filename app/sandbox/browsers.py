"""The browsers that subscribed to the stand-in for a push service, with the keys that only they would have."""

import secrets
import sqlite3

from app.sandbox.web_push import Browser


def add(db: sqlite3.Connection, browser: Browser) -> str:
    """Keep a browser; its id, which ends its endpoint."""
    browser_id = secrets.token_urlsafe(24)
    db.execute(
        "INSERT INTO browser (id, private_key, auth, application_key) VALUES (?, ?, ?, ?)",
        (browser_id, browser.private_key, browser.auth, browser.application_key),
    )
    return browser_id


def find(db: sqlite3.Connection, browser_id: str) -> Browser | None:
    """The browser with this id."""
    row = db.execute(
        "SELECT private_key, auth, application_key FROM browser WHERE id = ?", (browser_id,)
    ).fetchone()  # fmt: skip
    return Browser(*row) if row else None
