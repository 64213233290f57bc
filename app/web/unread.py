"""How many notifications wait for the reader: in the navigation and the title of every page."""

from flask import g
from flask_login import current_user

from app.inbox import queries
from app.web.inbox_list import capped


def unread() -> str:
    """The number as the badge shows it, empty for none. Asked at most once for a page."""
    if "unread" not in g:
        number = queries.unread(current_user.reader)
        g.unread = capped(number) if number else ""
    return str(g.unread)
