"""What the pages of inquiries and of conversations have in common: what was typed, and the lines as they are shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import request
from flask_login import current_user

from app.place import Place
from app.sources.conversations.models import Side
from app.sources.conversations.reading import Line, Lines
from app.web import cursors
from app.web.forms import number_in

ROWS_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One message on a page. `text` is None once it was deleted; `delete` is where its author takes it back."""

    id: int
    author: str
    text: str | None
    at: datetime
    mine: bool
    of_store: bool
    mentions: Sequence[str]
    delete: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """The messages of a page, oldest first, and the addresses of those before them and of the newest."""

    rows: Sequence[Row]
    here: str
    earlier: str | None
    newest: str | None


def said(lines: Lines, address: Callable[..., str], delete: Callable[[int], str]) -> Said:
    """The messages as their reader sees them; `address(before=…)` is the page that shows them."""
    before = asked_before()
    return Said(
        rows=[_row(line, delete) for line in lines.lines],
        here=address(before=before),
        earlier=address(before=lines.before) if lines.before else None,
        newest=address() if before else None,
    )


def asked_before() -> int | None:
    """Before which message the reader looks; None for the newest."""
    return number_in(request.args.get("before", ""))


def place() -> Place | None:
    """Where the reader stands in a list. Raises InvalidInput."""
    return cursors.read(request.args.get("cursor", ""))


def word_for(at: datetime, row_id: int) -> str:
    """The word for the place after this row."""
    return cursors.write(Place(at, row_id))


def _row(line: Line, delete: Callable[[int], str]) -> Row:
    mine = line.author_id == current_user.id
    return Row(
        id=line.id,
        author=line.author,
        text=line.text,
        at=line.at,
        mine=mine,
        of_store=line.side is Side.STORE,
        mentions=line.mentions,
        delete=delete(line.id) if mine and line.text is not None else None,
    )
