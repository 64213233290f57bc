"""One bulk retry: how far it has come, what became of each delivery, and the way to stop it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import LazyString
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.i18n import language
from app.operations import bulk, bulk_listing
from app.operations.bulk_listing import BulkLine, Item, Outcome, Standing, get_bulk_retry, outcomes
from app.transaction import writing
from app.web import bulk_words, words
from app.web.cursors import BIGGEST_ID
from app.web.delivery_rows import DeliveryRow, rows
from app.web.filter_words import scope_names
from app.web.forms import number_in
from app.web.guards import ADMINS, Pages
from app.web.htmx import wants_part

ADDRESS = f"/bulk-retries/<int(min=1, max={BIGGEST_ID}):bulk_id>"
ROWS_PER_PAGE = 50

Answer = Response | str | tuple[str, int]

pages = Pages("bulk_retry", open_to=ADMINS)


@dataclass(frozen=True, slots=True)
class Row:
    """One delivery of it. `says` why it was skipped, failed or was not sent."""

    delivery: DeliveryRow
    outcome: Outcome
    says: LazyString | str
    acted_at: datetime | None


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything on the page. `rows` are those that came to `outcome`, or of all if it is None."""

    line: BulkLine
    chosen: str
    numbers: Mapping[Outcome, int]
    outcome: Outcome | None
    after: int | None
    rows: Sequence[Row]
    next: int | None
    understood: bool
    """Whether the address said which of them, and from where on, or nothing of it."""

    @property
    def over(self) -> bool:
        """Whether nothing more happens by itself."""
        return self.line.standing is not Standing.GOING_ON and not self.numbers[Outcome.UNDER_WAY]


@pages.get(ADDRESS)
def show(bulk_id: int) -> str:
    """The page; for a tick only its live part. An outcome or a place that is not understood shows all from the first
    on, and the page says so."""
    return _page(_get(bulk_id))


@pages.post(f"{ADDRESS}/stop")
def stop(bulk_id: int) -> Answer:
    """Retry nothing more of it; what was released goes its way. Where nothing waited, the page says so."""
    _get(bulk_id)
    with writing() as tx:
        done = bulk.stop(tx, current_user, bulk_id)
    if not done:
        return _page(_get(bulk_id), _("Nothing was left to stop.")), 409
    flash(_("Stopped: nothing more of it is retried."))
    return redirect(url_for("bulk_retry.show", bulk_id=bulk_id), 303)


def _get(bulk_id: int) -> BulkLine:
    return get_bulk_retry(bulk_id) or abort(404)


def _page(line: BulkLine, problem: str | None = None) -> str:
    """How far it has come, with the sentence that says why an act was not done."""
    template, progress = "bulk_retries/_live.html" if wants_part() else "bulk_retries/show.html", _progress(line)
    note = None if progress.understood else bulk_words.NOT_UNDERSTOOD
    return render_template(
        template, progress=progress, problem=problem, note=note, words=words, bulk_words=bulk_words
    )  # fmt: skip


def _progress(line: BulkLine) -> Progress:
    named, place = request.args.get("outcome", ""), request.args.get("after", "")
    outcome, after = Outcome(named) if named in list(Outcome) else None, number_in(place)
    page = bulk_listing.items(line.id, outcome, after, ROWS_PER_PAGE)
    return Progress(
        line=line,
        chosen=bulk_words.asked_in_words(line.asked, scope_names()),
        numbers=outcomes(line),
        outcome=outcome,
        after=after,
        rows=_rows(page.lines),
        next=page.next,
        understood=(outcome is not None or not named) and (after is not None or not place),
    )


def _rows(items: Sequence[Item]) -> list[Row]:
    shown = rows([item.delivery for item in items], current_user.reader, language())
    return [
        Row(delivery, item.outcome, _says(item, delivery), item.acted_at)
        for item, delivery in zip(items, shown, strict=True)
    ]


def _says(item: Item, delivery: DeliveryRow) -> LazyString | str:
    if item.outcome is Outcome.SKIPPED:
        return bulk_words.SKIPS.get(item.why or "", "")
    ended = item.outcome in (Outcome.FAILED, Outcome.CANCELED)
    return delivery.reason.cause if ended and delivery.reason else ""
