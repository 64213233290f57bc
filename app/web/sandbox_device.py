"""A device of the sandbox, so that a push can be seen without the internet and without a browser that takes any."""

import json
from datetime import timedelta

from flask import abort, current_app
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response

from app import http
from app.channels.web_push.doors import Doors
from app.channels.web_push.subscription import Subscription, read_subscription
from app.config import Settings
from app.faults import InvalidInput
from app.i18n import language
from app.operations import devices
from app.reach.devices import Agreed
from app.tokens import digest, secret
from app.transaction import writing
from app.web.guards import GUESTS_TOO, Pages
from app.web.notification_settings import ADDRESS, done, has_sandbox_devices
from app.web.this_device import vapid_key

PATIENCE = timedelta(seconds=3)
JSON = {"Content-Type": "application/json"}

pages = Pages("sandbox_device", open_to=GUESTS_TOO)


@pages.post(f"{ADDRESS}/sandbox-device")
def add() -> Response:
    """Subscribe in the sandbox as a browser would, and register what it answers."""
    settings: Settings = current_app.config["SETTINGS"]
    if not has_sandbox_devices():
        abort(404)
    try:
        subscription = _subscribe(settings)
    except (http.NoAnswer, InvalidInput, ValueError):
        return done(_("The sandbox gave no device. Check that it is running."))
    with writing() as tx:
        devices.register(tx, current_user.actor, current_user.id, _agreed(subscription), session_id=None)
    return done(_("The sandbox has a device of yours now. Send it a test notification, and look into the sandbox."))


def _subscribe(settings: Settings) -> Subscription:
    """Raises NoAnswer, ValueError or InvalidInput for an answer that is no subscription."""
    wanted = json.dumps({"applicationServerKey": vapid_key()}).encode()
    answer = http.post(f"{settings.line_base}/push/subscriptions", wanted, JSON, PATIENCE)
    return read_subscription(json.loads(answer.body), Doors(settings.push_hosts, settings.reaches_loopback))


def _agreed(subscription: Subscription) -> Agreed:
    return Agreed(
        endpoint=subscription.endpoint,
        p256dh=subscription.p256dh,
        auth=subscription.auth,
        vapid_key=vapid_key(),
        browser_hash=digest(secret()),  # it is no browser of anybody's, so no cookie knows it
        name=_("Sandbox"),
        language=language(),
    )
