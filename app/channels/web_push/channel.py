"""The Web Push channel: one encrypted message to one browser (RFC 8030, 8188, 8291, 8292)."""

import json
from datetime import datetime, timedelta
from typing import Any

from pywebpush import WebPusher

from app import http
from app.channels.outcome import Answer, Gone, Outcome, Rejected
from app.channels.web_push.answers import SILENCES, outcome_of
from app.channels.web_push.authorization import Authorizer
from app.channels.web_push.doors import Doors, is_retired, origin_of
from app.channels.web_push.message import PushMessage, Urgency, push_of
from app.channels.web_push.payload import LARGEST, payload_of
from app.channels.web_push.subscription import Subscription, read_target, subscription_at
from app.clock import now
from app.codes import FailureCode
from app.faults import InvalidInput
from app.kinds import REQUEST_BOUND, Message, Notice

ENCODING = "aes128gcm"


class WebPushChannel:
    """Speaks to whichever push service a browser chose, with our one VAPID key. `bound` holds each request as a whole.

    Of pywebpush only the encryption is used. Its `webpush()` and `send()` follow redirects, believe proxies and netrc,
    wait for ever, write into the claims they get and name the endpoint in their errors; none of that can happen here.
    """

    name = "web_push"
    keyed = False

    def __init__(self, private_key: str, subject: str, doors: Doors, bound: timedelta = REQUEST_BOUND) -> None:
        self._authorizer = Authorizer(private_key, subject)
        self._doors = doors
        self._bound = bound

    def compose(self, target: str, message: Message) -> bytes:
        """The request before encryption, as JSON. Raises InvalidMessage for what cannot be said.

        The target is taken as it is: one that is damaged shall end its own delivery, when it is sent, and no other.
        """
        if isinstance(message, Notice):
            message = push_of(message)
        if not isinstance(message, PushMessage):
            raise TypeError(f"Web Push speaks PushMessage, not {type(message).__name__}")
        request = {
            "target": target,
            "payload": payload_of(message),
            "topic": message.tag,
            "urgency": Urgency(message.urgency),
            "ttl": int(message.ttl.total_seconds()),
            "expires_at": message.expires_at.isoformat() if message.expires_at else None,
        }
        return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()

    def target_of(self, request: bytes) -> str:
        """The target that a composed request goes to."""
        return str(json.loads(request)["target"])

    def send(self, request: bytes, retry_key: str | None) -> Outcome:  # noqa: ARG002  # push services know no keys
        """Encrypt, anew each time, and post once, unless the endpoint is none that may be spoken to."""
        asked = json.loads(request)
        payload = asked["payload"].encode()
        try:
            subscription = subscription_at(asked["target"], self._doors)
        except InvalidInput as refused:
            if is_retired(str(read_target(asked["target"]).get("endpoint"))):
                return Gone(FailureCode.PUSH_GONE, Answer())
            return Rejected(FailureCode.PUSH_ENDPOINT_REFUSED, Answer(detail=str(refused)))
        if len(payload) > LARGEST:
            return Rejected(FailureCode.PUSH_TOO_LARGE, Answer())
        return self._post(subscription, _encrypted(subscription, payload), self._headers(subscription, asked))

    def _headers(self, subscription: Subscription, asked: dict[str, Any]) -> dict[str, str]:
        return {
            "Authorization": self._authorizer.header_for(origin_of(subscription.endpoint)),
            "Content-Encoding": ENCODING,
            "Content-Type": "application/octet-stream",
            "TTL": str(_seconds_to_keep(asked["ttl"], asked["expires_at"])),
            "Urgency": asked["urgency"],
            "Topic": asked["topic"],
        }

    def _post(self, subscription: Subscription, body: bytes, headers: dict[str, str]) -> Outcome:
        try:
            response = http.post(subscription.endpoint, body, headers, self._bound, self._doors.reach)
        except http.AddressRefused as refused:
            return Rejected(FailureCode.PUSH_ENDPOINT_REFUSED, Answer(detail=str(refused)))
        except http.NoAnswer as silence:
            return SILENCES[type(silence)]
        return outcome_of(response, subscription)


def _encrypted(subscription: Subscription, payload: bytes) -> bytes:
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    return bytes(WebPusher({"endpoint": subscription.endpoint, "keys": keys}).encode(payload, ENCODING)["body"])


def _seconds_to_keep(ttl: int, expires_at: str | None) -> int:
    """`TTL`, counted from now: whole seconds, never past the moment from which it is no longer true."""
    if expires_at is None:
        return ttl
    left = (datetime.fromisoformat(expires_at) - now()).total_seconds()
    return max(0, min(ttl, int(left)))
