"""A push service: browsers subscribe, and what is pushed to them is decrypted and shown on the page."""

import json
import re
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from app import clock
from app.sandbox import browsers, ids
from app.sandbox.calls import Call, Fate, record
from app.sandbox.origins import refuse_foreign_origins
from app.sandbox.store import store
from app.sandbox.web_push import Push, Refused, new_browser, read_push, subscription_of

push_service = Blueprint("push_service", __name__, url_prefix="/push")
push_service.before_request(refuse_foreign_origins)

_APPLICATION_KEY = re.compile(r"[\w-]{87}", re.ASCII)


@push_service.post("/subscriptions")
def subscribe() -> tuple[Response, int]:
    """A new browser, as its `PushSubscription.toJSON()`.

    `{"applicationServerKey": …}` binds it to that VAPID key, as `PushManager.subscribe()` does; without, any is taken.
    """
    given = request.get_json(silent=True)
    key = given.get("applicationServerKey") if isinstance(given, dict) else None
    if key is not None and not (isinstance(key, str) and _APPLICATION_KEY.fullmatch(key)):
        return jsonify(error="applicationServerKey must be 65 bytes in base64url, or absent"), 400
    browser = new_browser(key)
    with store().writing() as db:
        browser_id = browsers.add(db, browser)
    endpoint = url_for("push_service.push", browser_id=browser_id, _external=True)
    return jsonify(subscription_of(browser, endpoint)), 201


@push_service.post("/<browser_id>")
def push(browser_id: str) -> tuple[Response, int]:
    """Take a push as a service would, read it as the browser would, and keep it for the page."""
    try:
        taken = _taken(browser_id)
    except Refused as refused:
        _keep(browser_id, "refused", refused.status, refused.words)
        return jsonify(error=refused.words), refused.status
    message_id = _keep(browser_id, "accepted", 201, "", _shown(taken))
    answer = Response(status=201)
    answer.headers["TTL"] = str(taken.ttl)
    answer.headers["Location"] = f"/push/messages/{message_id}"
    return answer, 201


def _taken(browser_id: str) -> Push:
    with store().reading() as db:
        browser = browsers.find(db, browser_id)
    if browser is None:
        raise Refused(404, "No browser has this endpoint")
    return read_push(request.headers, request.get_data(), request.host_url.rstrip("/"), browser, clock.now())


def _shown(push: Push) -> dict[str, Any]:
    text = push.text.decode(errors="replace")
    try:
        said = json.loads(text)
        json.dumps(said, ensure_ascii=False).encode()  # half a surrogate pair survives no later encoding
    except (ValueError, RecursionError):
        said = text
    return {"type": "push", "ttl": push.ttl, "urgency": push.urgency, "topic": push.topic, "data": said}


def _keep(browser_id: str, fate: Fate, status: int, says: str, *messages: dict[str, Any]) -> str:
    call = Call(
        request_id=ids.request_id(),
        asked="POST /push/…",
        fate=fate,
        at=clock.now(),
        status=status,
        says=says,
        recipient=browser_id[:100],
        messages=messages,
        service="web_push",
    )
    with store().writing() as db:
        record(db, call)
    return call.request_id
