"""Retry, rotate key, cancel: asked about first where the effect cannot be taken back, and done once."""

from collections.abc import Callable

from flask import abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app.operations import deliveries
from app.operations.deliveries import ConfirmationNeededError, ConflictError, NoSuchDeliveryError
from app.transaction import Transaction, writing
from app.web import words
from app.web.delivery import ADDRESS, page, row_of
from app.web.guards import ADMINS, Pages
from app.web.places import own_path

Answer = Response | str | tuple[str, int]

pages = Pages("delivery_acts", open_to=ADMINS)


@pages.post(f"{ADDRESS}/retry")
def retry(delivery_id: int) -> Answer:
    """Send again. Asks first when that takes a new key while LINE may have accepted it under the old one."""
    confirmed, seen = _confirmed(), _seen_attempts()

    def again(tx: Transaction) -> None:
        deliveries.retry(tx, current_user.actor, delivery_id, confirmed=confirmed, seen_attempts=seen)

    return _do(again, delivery_id, "retry", _("Delivery %(id)d is being sent again.", id=delivery_id))


@pages.get(f"{ADDRESS}/rotate-key")
def ask_rotate_key(delivery_id: int) -> Answer:
    """Say what a new key does."""
    return _ask(delivery_id, "rotate_key") if row_of(delivery_id).offer.rotate_key else _moved_on(delivery_id)


@pages.post(f"{ADDRESS}/rotate-key")
def rotate_key(delivery_id: int) -> Answer:
    """Send again with a new key."""
    confirmed, seen = _confirmed(), _seen_attempts()

    def again(tx: Transaction) -> None:
        deliveries.rotate_key(tx, current_user.actor, delivery_id, confirmed=confirmed, seen_attempts=seen)

    told = _("Delivery %(id)d is being sent again with a new key.", id=delivery_id)
    return _do(again, delivery_id, "rotate_key", told)


@pages.get(f"{ADDRESS}/cancel")
def ask_cancel(delivery_id: int) -> Answer:
    """Say what canceling does."""
    return _ask(delivery_id, "cancel") if row_of(delivery_id).offer.cancel else _moved_on(delivery_id)


@pages.post(f"{ADDRESS}/cancel")
def cancel(delivery_id: int) -> Answer:
    """Stop owing it."""

    def stop(tx: Transaction) -> None:
        deliveries.cancel(tx, current_user.actor, delivery_id)

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
        return _ask(delivery_id, act)
    flash(told)
    back = url_for("delivery.show", delivery_id=delivery_id)
    return redirect(own_path(request.form.get("next"), back), 303)


def _confirmed() -> bool:
    """Whether the operator was asked about a second copy and said yes."""
    return request.form.get("confirmed") == "1"


def _seen_attempts() -> int:
    """How many tries there were on the page that the operator looked at."""
    seen = request.form.get("attempts", "")
    return int(seen) if seen.isdecimal() and len(seen) < 10 else abort(400)


def _ask(delivery_id: int, act: str) -> str:
    # Where to go on to afterwards: not known when the question itself was opened by its address.
    back = own_path(request.values.get("next"), url_for("delivery.show", delivery_id=delivery_id))
    return render_template("deliveries/ask.html", delivery=row_of(delivery_id), act=act, back=back, words=words)


def _moved_on(delivery_id: int) -> tuple[str, int]:
    problem = _("Nothing was done: it has moved on since you looked at it. This is how it stands now.")
    return page(delivery_id, problem), 409
