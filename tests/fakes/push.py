"""A scripted push service at a real socket, with the browsers behind it: it verifies who sends, and decrypts.

    with FakePush() as push:
        device = push.subscribe()
        push.script(reply(500))
        ...  # send to device["endpoint"]
        assert push.arrived(device) == [...]

Scripted answers (tests/fakes/line_answers.py) are for requests that pass the checks of a real service; those that
accept, deliver. A browser that is offline gets what its topic kept, until the TTL is over by app.clock.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import sleep
from typing import Any
from uuid import uuid4

from werkzeug.datastructures import Headers

from app.clock import now
from app.sandbox.web_push import Browser, Push, Refused, new_browser, read_push, subscription_of
from tests.fakes.line_answers import Answer, Ending, reply
from tests.fakes.line_server import Connection, Request
from tests.fakes.scripted import ScriptedServer

ACCEPT = Answer("accept", accepts=True, status=201, body=b"")
ACCEPT_THEN_500 = Answer("accept then 500", accepts=True, status=500, body=b"")
GONE = reply(410, b"", name="gone")


@dataclass
class Seen:
    """One request. `refusal`: why a real service would not have taken it; None when it was in good order."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    refusal: str | None
    answer: Answer


@dataclass
class Device:
    """A browser with its keys, and what reached it; `waiting` is kept by topic while it is offline."""

    browser: Browser
    offline: bool = False
    waiting: dict[str, tuple[datetime, Push]] = field(default_factory=dict)
    arrived: list[Push] = field(default_factory=list)

    def take(self, push: Push) -> None:
        """Show it, or keep it for later in the place of what has the same topic."""
        if self.offline:
            self.waiting[push.topic or str(uuid4())] = (now() + timedelta(seconds=push.ttl), push)
        else:
            self.arrived.append(push)

    def come_online(self) -> None:
        """Show what is still worth it."""
        self.offline = False
        self.arrived += [push for until, push in self.waiting.values() if now() < until]
        self.waiting.clear()


class FakePush(ScriptedServer):
    """Start it, subscribe browsers, script what it shall do, look at what it saw and what reached whom."""

    def __init__(self) -> None:
        super().__init__(ACCEPT)
        self.requests: list[Seen] = []
        self._devices: dict[str, Device] = {}

    def subscribe(self, application_key: str | None = None) -> dict[str, Any]:
        """A new browser's `PushSubscription.toJSON()`; bound to the application's key if one is named."""
        path = f"/push/{uuid4().hex}"
        self._devices[path] = Device(new_browser(application_key))
        return subscription_of(self._devices[path].browser, self.url + path)

    def device(self, subscription: Mapping[str, Any]) -> Device:
        """The browser of a subscription."""
        return self._devices[str(subscription["endpoint"]).removeprefix(self.url)]

    def arrived(self, subscription: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What the browser's service worker got, in order."""
        return [json.loads(push.text) for push in self.device(subscription).arrived]

    def unsubscribe(self, subscription: Mapping[str, Any]) -> None:
        """The browser wants no more: 410 from now on."""
        del self._devices[str(subscription["endpoint"]).removeprefix(self.url)]

    def script_for(self, subscription: Mapping[str, Any], *next_answers: Answer) -> None:
        """Queue answers for the next requests to this browser; they go before those of `script`."""
        self._script_for(str(subscription["endpoint"]).removeprefix(self.url), *next_answers)

    def _serve(self, request: Request, connection: Connection) -> None:
        seen, push = self._note(request)
        if seen.answer.gated:
            self._wait_for_release()
        sleep(seen.answer.delay)
        if push is not None and seen.answer.accepts:
            self._devices[request.path].take(push)
        if seen.answer.ending is Ending.SILENCE:
            self.holding.set()
        status = 201 if seen.answer.status is None else seen.answer.status
        headers = {"Location": f"{self.url}/message/{uuid4().hex}", **seen.answer.headers}
        connection.end(seen.answer.ending, status, headers, seen.answer.body)

    def _note(self, request: Request) -> tuple[Seen, Push | None]:
        """Look at it, and remember it; with the push, if it was in good order."""
        with self._lock:
            seen, push = self._read(request)
            self.requests.append(seen)
        return seen, push

    def _read(self, request: Request) -> tuple[Seen, Push | None]:
        refusal, answer, push = None, GONE, None
        device = self._devices.get(request.path)
        if device is not None:
            headers = Headers(list(request.headers.items()))
            try:
                push = read_push(headers, request.body, self.url, device.browser, now())
                answer = self._scripted(request.path)
            except Refused as fault:
                refusal, answer = fault.words, reply(fault.status, fault.words.encode(), name="refused")
        return Seen(request.path, dict(request.headers), request.body, refusal, answer), push
