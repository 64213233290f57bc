"""What a browser itself says about its push subscription: JSON, from push.js and from the service worker."""

from typing import Any

from flask import Response, abort, current_app, flash, jsonify, request
from flask_babel import gettext as _
from flask_login import current_user
from werkzeug.wrappers import Response as AnyResponse

from app.accounts.known import NoSuchAccountError
from app.accounts.sessions import NoSuchSessionError
from app.channels.web_push.doors import Doors
from app.channels.web_push.subscription import read_subscription
from app.config import Settings
from app.extensions import csrf, limiter
from app.faults import Fault, InvalidInput
from app.i18n import language
from app.operations import devices
from app.operations.devices import Whose
from app.reach.devices import Agreed
from app.tokens import digest
from app.transaction import writing
from app.web import pace
from app.web.browsers import this_browser
from app.web.forms import by_field
from app.web.guards import GUESTS_TOO, Pages
from app.web.same_origin import from_our_service_worker
from app.web.this_device import cookie_value, forget, remember, vapid_key

TRIES = "30 per minute"

Answer = AnyResponse | tuple[Response, int]

pages = Pages("devices", open_to=GUESTS_TOO)


@pages.post("/devices")
@limiter.limit(TRIES, key_func=pace.account)
def register() -> Answer:
    """`{"subscription": PushSubscription.toJSON(), "key": ours that it was made with,
    "pressed": whether the person pressed the button}` → 204, or 422 with words."""
    cookie = cookie_value()
    try:
        agreed = _agreed(_document().get("subscription"), cookie)
    except InvalidInput as error:
        return _refused(error)
    with writing() as tx:
        devices.register(tx, current_user.actor, current_user.id, agreed, current_user.session_id)
    if _document().get("pressed") is True:
        flash(_("This device gets notifications from now on."))
    return remember(Response(status=204), cookie)


@pages.post("/devices/recognise")
@limiter.limit(TRIES, key_func=pace.account)
def recognise() -> Answer:
    """`{"endpoint"}` of a browser that is not known by its cookie → `{"whose": "yours", "nobodys" or "dropped"}`.

    Unless it is the account's own, nobody's pushes go there any more, and the browser shall end its subscription.
    """
    endpoint, cookie = _document().get("endpoint"), cookie_value()
    if not isinstance(endpoint, str):
        abort(400)
    with writing() as tx:
        whose = devices.recognise(tx, current_user.id, endpoint, digest(cookie), current_user.session_id)
    answer = jsonify(whose=whose)
    return remember(answer, cookie) if whose is Whose.YOURS else forget(answer)


@pages.post("/devices/refresh")
@csrf.exempt  # type: ignore[untyped-decorator]  # Flask-WTF has no types
@limiter.limit(TRIES, key_func=pace.account)
def refresh() -> Answer:
    """`{"old": endpoint or null, "subscription", "key"}` from the service worker → 204, or 404 where it has no device.

    A worker has no page to take a token from; its header says as much. It renews what the person agreed to, no more.
    """
    if not from_our_service_worker():
        abort(403)
    document, cookie = _document(), cookie_value()
    old = document.get("old")
    try:
        agreed = _agreed(document.get("subscription"), cookie)
    except InvalidInput as error:
        return _refused(error)
    with writing() as tx:
        former = old if isinstance(old, str) else None
        renewed = devices.renew(tx, current_user.id, former, agreed, current_user.session_id)
    return remember(Response(status=204), cookie) if renewed else Response(status=404)


@pages.errorhandler(NoSuchAccountError)
@pages.errorhandler(NoSuchSessionError)
def _signed_out(_error: LookupError) -> Answer:
    """Signed out at this moment: a script and a service worker have no use for the page that people see then."""
    return Response(status=401)


def _document() -> dict[str, Any]:
    try:
        document = request.get_json(silent=True)
    except RecursionError:  # lists in lists in lists
        document = None
    return document if isinstance(document, dict) else abort(400)


def _agreed(given: object, cookie: str) -> Agreed:
    settings: Settings = current_app.config["SETTINGS"]
    subscription = read_subscription(given, Doors(settings.push_hosts, settings.reaches_loopback))
    if _document().get("key") != vapid_key():
        raise InvalidInput(Fault("key", _("This page is older than Todoke's key for pushes. Reload it and try again.")))
    return Agreed(
        endpoint=subscription.endpoint,
        p256dh=subscription.p256dh,
        auth=subscription.auth,
        vapid_key=vapid_key(),
        browser_hash=digest(cookie),
        name=this_browser() or _("A browser"),
        language=language(),
    )


def _refused(error: InvalidInput) -> Answer:
    return jsonify(faults=by_field(error.faults)), 422
