"""A scripted LINE at a real socket: bearer token, request checks, retry keys remembered for 24 hours.

    with FakeLine() as line:
        line.script(FAIL_500, ACCEPT_THEN_TIMEOUT)
        ...  # send to line.url with line.token
        assert [seen.answer for seen in line.requests] == [FAIL_500, ACCEPT_THEN_TIMEOUT]
        assert len(line.accepted) == 1

The answers stand in tests/fakes/line_answers.py. Scripted ones are for requests that pass LINE's own checks; the
memory of keys follows app.clock, so that time_machine moves it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from app.clock import now
from tests.fakes import line_answers as answers
from tests.fakes.line_answers import Answer
from tests.fakes.line_checks import recipient_of, refusal_of
from tests.fakes.line_server import Connection, Request
from tests.fakes.scripted import ScriptedServer

KEY_LIFE = timedelta(hours=24)
TOKEN = "line-channel-access-token-of-the-tests"


@dataclass
class Seen:
    """One request, as it arrived. `status` is None when no answer went out; `answer` is what the script had for it."""

    path: str
    headers: Mapping[str, str]
    to: str | None
    retry_key: str | None
    body: bytes
    request_id: str
    at: datetime
    answer: Answer
    status: int | None = None


@dataclass(frozen=True)
class Message:
    """Something that LINE accepted, and so delivered."""

    to: str
    retry_key: str | None
    body: bytes
    request_id: str
    at: datetime

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The message objects of the request."""
        return list(json.loads(self.body)["messages"])


class FakeLine(ScriptedServer):
    """Start it, point a LineChannel at `url` with `token`, script what it shall do, look at what it saw."""

    token = TOKEN

    def __init__(self) -> None:
        super().__init__(answers.ACCEPT)
        self.requests: list[Seen] = []
        self.accepted: list[Message] = []
        self._by_key: dict[str, Message] = {}

    def script_for(self, to: str, *next_answers: Answer) -> None:
        """Queue answers for the next requests to this recipient; they go before those of `script`."""
        self._script_for(to, *next_answers)

    def _serve(self, request: Request, connection: Connection) -> None:
        seen = self._note(request)
        if seen.answer.gated:
            self._wait_for_release()
        winner = self._accept(seen) if seen.answer.accepts else None
        if seen.answer.ending is answers.Ending.SILENCE:
            self.holding.set()
        status, headers, body = _response(seen, winner)
        if seen.answer.ending is answers.Ending.REPLY:
            seen.status = status
        connection.end(seen.answer.ending, status, headers, body)

    def _note(self, request: Request) -> Seen:
        to = recipient_of(request.body)
        key = request.headers.get("X-Line-Retry-Key")
        refusal = refusal_of(request, self.token)
        with self._lock:
            answer = refusal or self._scripted(to or "")
            seen = Seen(request.path, dict(request.headers), to, key, request.body, str(uuid4()), now(), answer)
            self.requests.append(seen)
        return seen

    def _accept(self, seen: Seen) -> Message:
        """Deliver it, unless a message with its key was delivered less than 24 hours ago; the one that won."""
        with self._lock:
            known = self._by_key.get(seen.retry_key or "")
            if known is not None and now() < known.at + KEY_LIFE:
                return known
            message = Message(seen.to or "", seen.retry_key, seen.body, seen.request_id, now())
            self.accepted.append(message)
            if seen.retry_key is not None:
                self._by_key[seen.retry_key] = message
            return message


def _response(seen: Seen, winner: Message | None) -> tuple[int, dict[str, str], bytes]:
    headers = {"x-line-request-id": seen.request_id, "Content-Type": "application/json", **seen.answer.headers}
    if seen.answer.status is not None or winner is None:
        return seen.answer.status or 200, headers, seen.answer.body
    sent: dict[str, Any] = {"sentMessages": [{"id": str(UUID(winner.request_id).int)[:18]}]}
    if winner.request_id == seen.request_id:
        return 200, headers, json.dumps(sent).encode()
    known = {"message": "The retry key is already accepted", **sent}
    return 409, {**headers, "x-line-accepted-request-id": winner.request_id}, json.dumps(known).encode()
