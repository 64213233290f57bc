"""Published shift tables, and the preview of one to be published."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from flask import render_template, request
from flask_babel import gettext as _
from flask_login import current_user

from app import tokens
from app.faults import Fault, InvalidInput
from app.i18n import language
from app.outbox import queries
from app.outbox.state import State
from app.sources.classroom.publication.message import table_name
from app.sources.classroom.publication.month_table import Drawn, draw_month
from app.sources.classroom.publication.publish import SUBJECT
from app.sources.classroom.publication.published import PublishedTable, publications
from app.sources.classroom.publication.table.fonts import FontMissing
from app.sources.classroom.publication.table.layout import NoShifts
from app.sources.classroom.shifts.listing import classroom_names
from app.web import words
from app.web.delivery_rows import AT_REST
from app.web.forms import by_field, number_in
from app.web.guards import STAFF, Pages, may_enter
from app.web.months import month_of, today
from app.web.publication_choice import Choice, font, read_choice

ROWS_PER_PAGE = 50

pages = Pages("publications", open_to=STAFF)


@dataclass(frozen=True, slots=True)
class Sending:
    """One group's delivery of a table."""

    id: int
    state: State
    to: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """One publication with what became of it."""

    table: PublishedTable
    name: str
    sendings: Sequence[Sending]

    @property
    def at_rest(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return all(one.state in AT_REST for one in self.sendings)


@pages.get("/publications")
def index() -> tuple[str, int]:
    """The tables so far; with a month in the address, what would be sent."""
    if "month" not in request.args or not may_enter(current_user.role, "publishing"):
        return page({}), 200
    try:
        choice = read_choice(request.args)
    except InvalidInput as error:
        return page(request.args, faults=error.faults), 422
    return preview_page(request.args, choice), 200


def preview_page(typed: Mapping[str, str], choice: Choice, *, changed: bool = False) -> str:
    """The page with what would be sent now; `changed`: it was to be sent, but not as it is now."""
    faults, drawn = _try_out(choice)
    if changed:
        since = _("The shifts have changed since this preview, so nothing was sent. Look at the table as it is now.")
        faults = [Fault("changed", since), *faults]
    return page(typed, choice=choice, faults=faults, drawn=drawn)


def page(
    typed: Mapping[str, str],
    *,
    choice: Choice | None = None,
    faults: Collection[Fault] = (),
    drawn: Drawn | None = None,
    request_id: str = "",
) -> str:
    """The page, with what is wrong at its field; the form keeps its own id when it is shown again."""
    tables = publications(_before(), ROWS_PER_PAGE + 1)
    next_month = month_of(today()).after
    return render_template(
        "publications/index.html",
        typed={"month": typed.get("month", str(next_month)), "classroom": typed.get("classroom", "")},
        choice=choice,
        drawn=drawn,
        seen=drawn.digest if drawn else typed.get("seen", ""),
        name=table_name(choice.month.first, choice.classroom, language()) if choice else "",
        faults=by_field(faults),
        request_id=request_id or tokens.request_id(),
        classrooms=classroom_names(),
        rows=table_rows(tables[:ROWS_PER_PAGE]),
        older=tables[ROWS_PER_PAGE - 1].id if len(tables) > ROWS_PER_PAGE else None,
        may_publish=may_enter(current_user.role, "publishing"),
        may_see_deliveries=may_enter(current_user.role, "delivery"),
        words=words,
    )


def table_rows(tables: Sequence[PublishedTable]) -> list[TableRow]:
    """All of them in one go: one question to the ledger."""
    about = queries.about(SUBJECT, [table.id for table in tables])
    return [
        TableRow(
            table,
            table_name(table.month, table.classroom, language()),
            [Sending(one.id, State(one.state), one.address_label) for one in about[table.id]],
        )
        for table in tables
    ]


def _try_out(choice: Choice) -> tuple[list[Fault], Drawn | None]:
    """Why the table cannot be drawn, or what cannot be drawn in it; found by drawing it."""
    nothing = _("No shift of this month is confirmed, so there is nothing to send yet.")
    if not choice.shifts:
        return [Fault("shifts", nothing)], None
    try:
        drawn = draw_month(choice.wanted, font())
    except NoShifts:
        return [Fault("shifts", nothing)], None
    except FontMissing as error:
        return [Fault("drawing", str(error))], None
    except InvalidInput as error:
        return [Fault("drawing", fault.message) for fault in error.faults], None
    missing = drawn.drawing.missing
    return [Fault("missing", missing_sentence(missing))] if missing else [], drawn


def missing_sentence(missing: Sequence[str]) -> str:
    """Which characters were drawn as 〓."""
    return str(_("No font has these characters, so they are drawn as 〓: %(characters)s", characters=" ".join(missing)))


def _before() -> int | None:
    return number_in(request.args.get("before", ""))
