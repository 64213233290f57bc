"""Test pushes, as the page that waits for their result shows them."""

from dataclasses import dataclass
from datetime import timedelta

from flask import abort, redirect, render_template, url_for
from flask_login import current_user
from werkzeug.wrappers import Response

from app.clock import now
from app.codes import Words
from app.extensions import limiter
from app.outbox import queries
from app.outbox.state import State
from app.reach.devices import NoSuchDeviceError
from app.sources.trial.try_device import KIND, try_device
from app.transaction import writing
from app.web import pace, words
from app.web.cursors import BIGGEST_ID
from app.web.delivery_rows import AT_REST, reason_of
from app.web.device_rows import device_rows
from app.web.guards import GUESTS_TOO, Pages

TRIES = "10 per minute"
"""For one account: push services slow down whoever asks too often."""

SOON = timedelta(seconds=15)
"""A test that waits longer waits for a worker that is not there."""

pages = Pages("trials", open_to=GUESTS_TOO)


@dataclass(frozen=True, slots=True)
class TrialRow:
    """How one test stands. `over`: nothing more happens; `late`: nobody has taken it, which is odd.

    `reason` is given once it stands still: what came before is the operators' business.
    """

    delivery_id: int
    device_id: int
    state: State
    reason: Words | None
    over: bool
    late: bool


@pages.post(f"/settings/notifications/devices/<int(min=1, max={BIGGEST_ID}):device_id>/test")
@limiter.limit(TRIES, key_func=pace.account)
def begin(device_id: int) -> Response:
    """Owe the device a test push, and go where its result will stand."""
    try:
        with writing() as tx:
            delivery_id = try_device(tx, current_user.id, device_id)
    except NoSuchDeviceError:
        abort(404)
    return redirect(url_for("notification_settings.show", test=delivery_id, _anchor=f"device-{device_id}"), 303)


@pages.get(f"/settings/notifications/tests/<int(min=1, max={BIGGEST_ID}):delivery_id>")
def show(delivery_id: int) -> str:
    """The result alone, for the page that asks until there is one; then with what is known of the device by it."""
    trial = trial_row(delivery_id) or abort(404)
    row = next((one for one in device_rows() if trial.over and one.device.id == trial.device_id), None)
    return render_template("notification_settings/_trial_part.html", trial=trial, row=row, words=words)


def trial_row(delivery_id: int | None) -> TrialRow | None:
    """One test of whoever is signed in; None if there is no such."""
    delivery = queries.get(delivery_id) if delivery_id is not None and 0 < delivery_id <= BIGGEST_ID else None
    if delivery is None or delivery.kind != KIND or delivery.account_id != current_user.id:
        return None
    state = State(delivery.state)
    worthless = delivery.expires_at is not None and delivery.expires_at <= now()
    return TrialRow(
        delivery_id=delivery.id,
        device_id=delivery.subject_id,
        state=state,
        reason=reason_of(delivery.reason) if state in AT_REST else None,
        over=state in AT_REST or worthless,
        late=state not in AT_REST and now() - delivery.created_at > SOON,
    )
