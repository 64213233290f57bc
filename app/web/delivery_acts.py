"""Retry, rotate key, cancel: asked about first where the effect cannot be taken back, and done once."""

import json
from collections.abc import Callable, Mapping

from flask import Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response as AnyResponse

from app.faults import InvalidInput
from app.operations import deliveries
from app.operations.deliveries import ConfirmationNeededError, ConflictError, NoSuchDeliveryError
from app.transaction import Transaction, writing
from app.web import words
from app.web.delivery import ADDRESS, page, row_of
from app.web.forms import by_field
from app.web.guards import ADMINS, Pages
from app.web.htmx import wants_part
from app.web.places import own_path

Answer = AnyResponse | str | tuple[str, int]

pages = Pages("delivery_acts", open_to=ADMINS)


@pages.post(f"{ADDRESS}/retry")
def retry(delivery_id: int) -> Answer:
    """Send again. Asks first when that takes a new key while LINE may have accepted it under the old one."""
    confirmed, seen, why = _confirmed(), _seen_attempts(), _why()

    def again(tx: Transaction) -> None:
        deliveries.retry(tx, current_user.actor, delivery_id, confirmed=confirmed, seen_attempts=seen, why=why)

    return _do(again, delivery_id, "retry", _("Delivery %(id)d is being sent again.", id=delivery_id))


@pages.get(f"{ADDRESS}/retry")
def ask_retry(delivery_id: int) -> Answer:
    """Say what a new key does, where Retry takes one."""
    offered = row_of(delivery_id).offer
    return _ask(delivery_id, "retry") if offered.retry and offered.new_key else _moved_on(delivery_id)


@pages.get(f"{ADDRESS}/rotate-key")
def ask_rotate_key(delivery_id: int) -> Answer:
    """Say what a new key does."""
    return _ask(delivery_id, "rotate_key") if row_of(delivery_id).offer.rotate_key else _moved_on(delivery_id)


@pages.post(f"{ADDRESS}/rotate-key")
def rotate_key(delivery_id: int) -> Answer:
    """Send again with a new key."""
    confirmed, seen, why = _confirmed(), _seen_attempts(), _why()

    def again(tx: Transaction) -> None:
        deliveries.rotate_key(tx, current_user.actor, delivery_id, confirmed=confirmed, seen_attempts=seen, why=why)

    told = _("Delivery %(id)d is being sent again with a new key.", id=delivery_id)
    return _do(again, delivery_id, "rotate_key", told)


@pages.get(f"{ADDRESS}/cancel")
def ask_cancel(delivery_id: int) -> Answer:
    """Say what canceling does."""
    return _ask(delivery_id, "cancel") if row_of(delivery_id).offer.cancel else _moved_on(delivery_id)


@pages.post(f"{ADDRESS}/cancel")
def cancel(delivery_id: int) -> Answer:
    """Stop owing it."""
    why = _why()

    def stop(tx: Transaction) -> None:
        deliveries.cancel(tx, current_user.actor, delivery_id, why=why)

    return _do(stop, delivery_id, "cancel", _("Delivery %(id)d was canceled.", id=delivery_id))


def _do(verb: Callable[[Transaction], None], delivery_id: int, act: str, told: str) -> Answer:
    try:
        with writing() as tx:
            verb(tx)
    except NoSuchDeliveryError:
        abort(404)
    except ConflictError:
        return _moved_on(delivery_id)
    except ConfirmationNeededError:
        return _asked_elsewhere(delivery_id) if wants_part() else _ask(delivery_id, act)
    except InvalidInput as refused:
        return _ask(delivery_id, act, by_field(refused.faults)), 422
    if wants_part():
        return _row(delivery_id, told)
    flash(told)
    return redirect(_back(delivery_id), 303)


def _row(delivery_id: int, said: str) -> Response:
    """Of the list that it was pressed in, the row as it now is; `said` is told beside it."""
    back = own_path(request.form.get("next"), url_for("deliveries.index"))
    row = render_template("deliveries/_row_alone.html", delivery=row_of(delivery_id), back=back, words=words)
    # As ASCII: headers carry nothing else.
    return Response(row, mimetype="text/html", headers={"HX-Trigger": json.dumps({"app:said": {"words": said}})})


def _asked_elsewhere(delivery_id: int) -> Response:
    """The question needs a page of its own."""
    question = url_for("delivery_acts.ask_retry", delivery_id=delivery_id, next=request.form.get("next"))
    return Response(status=204, headers={"HX-Redirect": question})


def _confirmed() -> bool:
    """Whether the operator was asked about a second copy and said yes."""
    return request.form.get("confirmed") == "1"


def _seen_attempts() -> int:
    """How many tries there were on the page that the operator looked at."""
    seen = request.form.get("attempts", "")
    return int(seen) if seen.isdecimal() and len(seen) < 10 else abort(400)


def _why() -> str:
    """What the operator says of it, for whoever wonders."""
    return request.form.get("why", "")


def _back(delivery_id: int) -> str:
    """Where to go on to afterwards: the page that the act was begun on."""
    return own_path(request.values.get("next"), url_for("delivery.show", delivery_id=delivery_id))


def _ask(delivery_id: int, act: str, faults: Mapping[str, str] | None = None) -> str:
    return render_template(
        "deliveries/ask.html",
        delivery=row_of(delivery_id),
        act=act,
        back=_back(delivery_id),
        typed={"why": _why()},
        faults=faults or {},
        words=words,
    )


def _moved_on(delivery_id: int) -> Answer:
    problem = _("Nothing was done: it has moved on since you looked at it. This is how it stands now.")
    if wants_part():
        row = _row(delivery_id, problem)
        row.status_code = 409
        return row
    return page(delivery_id, problem, own_path(request.values.get("next"), url_for("deliveries.index"))), 409
