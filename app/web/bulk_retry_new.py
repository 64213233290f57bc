"""Retrying many deliveries: what it would do is shown before anything is done."""

from collections.abc import Collection, Mapping
from datetime import timedelta

from flask import redirect, render_template, request, url_for
from flask_login import current_user
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app.clock import now
from app.faults import Fault, InvalidInput
from app.operations import bulk
from app.operations.bulk import NothingToRetryError, Wanted
from app.operations.bulk_listing import lasting
from app.operations.bulk_plan import RATES, Plan, plan
from app.tokens import request_id as new_request_id
from app.transaction import writing
from app.web import bulk_choice, bulk_words, words
from app.web.bulk_choice import Choice
from app.web.delivery_choices import chosen
from app.web.filter_words import scope_names
from app.web.forms import by_field, number_in, request_id, typed_in
from app.web.gates import closed_gates
from app.web.guards import ADMINS, Pages

Answer = Response | str | tuple[str, int]

FIELDS = ("rate", "why", "with_doubles")
USUAL_RATE = 300

pages = Pages("bulk_retry_new", open_to=ADMINS)


@pages.get("/bulk-retries/new")
def new() -> Answer:
    """Say what would happen, and ask how fast. What cannot be read is explained, and retries nothing."""
    asked = MultiDict(request.args)
    # Whenever the list was opened that links here, its reader sees this page now.
    asked["seen"] = bulk_choice.told_at(now())
    choice = bulk_choice.read(asked)
    return _question(choice, {"rate": str(USUAL_RATE)}), 422 if choice.faults else 200


@pages.post("/bulk-retries")
def create() -> Answer:
    """Begin it as it was seen, once; what failed since then is not part of it."""
    choice, typed = bulk_choice.read(request.form), typed_in(request.form, FIELDS)
    if choice.faults:
        return _question(choice, typed), 422
    wanted = Wanted(
        choice.selection, choice.kept, number_in(typed["rate"]) or 0, bool(typed["with_doubles"]), typed["why"]
    )  # fmt: skip
    try:
        with writing() as tx:
            bulk_id = bulk.begin(tx, current_user, request_id(), wanted)
    except InvalidInput as error:
        return _question(choice, typed, error.faults), 422
    except NothingToRetryError:
        return _question(choice, typed, nothing=True), 409
    return redirect(url_for("bulk_retry.show", bulk_id=bulk_id), 303)


def _question(
    choice: Choice, typed: Mapping[str, str], faults: Collection[Fault] = (), *, nothing: bool = False
) -> str:
    planned = None if choice.faults else plan(choice.selection)
    return render_template(
        "bulk_retries/new.html",
        choice=choice,
        chosen=_in_words(choice),
        plan=planned,
        closed=closed_gates(),
        rates=_rates(planned),
        typed=typed,
        faults=by_field(faults),
        nothing=nothing,
        request_id=new_request_id(),
        words=words,
        bulk_words=bulk_words,
    )


def _in_words(choice: Choice) -> str:
    if choice.ids:
        return bulk_words.ticked(len(choice.ids))
    return bulk_words.joined(word for _name, word in chosen(choice.asked, scope_names()))


def _rates(planned: Plan | None) -> list[tuple[int, timedelta, timedelta]]:
    """The rates that may be chosen, and how long it takes at each, without those that could arrive twice and with."""
    least, most = (planned.least, planned.most) if planned else (0, 0)
    return [(rate, lasting(least, rate), lasting(most, rate)) for rate in RATES]
