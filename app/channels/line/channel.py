"""The LINE channel: one push message to one user or group."""

import json
from datetime import timedelta

from app import http
from app.channels.line.answers import SILENCES, outcome_of
from app.channels.line.flex import FlexMessage
from app.channels.line.limits import check
from app.channels.messages import InvalidMessage
from app.channels.outcome import Outcome
from app.kinds import REQUEST_BOUND, Message


class LineChannel:
    """Speaks to `base_url` with the channel access token. `bound` holds each request as a whole."""

    name = "line"
    keyed = True

    def __init__(self, base_url: str, token: str, bound: timedelta = REQUEST_BOUND) -> None:
        self._push = f"{base_url}/v2/bot/message/push"
        self._token = token
        self._bound = bound

    def compose(self, target: str, message: Message) -> bytes:
        """The JSON of one push. Raises InvalidMessage for what LINE would refuse."""
        if not isinstance(message, FlexMessage):
            raise TypeError(f"LINE speaks FlexMessage, not {type(message).__name__}")
        check(message.alt_text, message.contents)
        said = {"type": "flex", "altText": message.alt_text, "contents": message.contents}
        try:
            return json.dumps({"to": target, "messages": [said]}, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            raise InvalidMessage("messages[0]", "must be Unicode text without lone surrogates") from None

    def target_of(self, request: bytes) -> str:
        """The user, group or room that a composed request goes to."""
        return str(json.loads(request)["to"])

    def send(self, request: bytes, retry_key: str | None) -> Outcome:
        """Push once. The key goes with this request only: LINE refuses it wherever it has no meaning."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        if retry_key is not None:
            headers["X-Line-Retry-Key"] = retry_key
        try:
            response = http.post(self._push, request, headers, self._bound)
        except http.NoAnswer as silence:
            return SILENCES[type(silence)]
        return outcome_of(response, self._token)
