"""A scripted shop at a real socket: product pages with JSON-LD, as real shops have them, and what else a test wants.

with FakeShop() as shop:
    kettle = shop.sells("kettle", "1980")
    shop.script_for(kettle, reply(429, retry_after="60"))
    shop.sells("kettle", "1500")
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from tests.fakes.line_answers import Answer, Ending, reply
from tests.fakes.line_server import Connection, Request
from tests.fakes.scripted import ScriptedServer

AS_IT_IS = Answer("as it is")
"""The page as it stands."""
NO_ROBOTS = reply(404, b"", name="no robots.txt")


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    headers: Mapping[str, str]


class FakeShop(ScriptedServer):
    """Start it, let it sell things, script what it shall do, look at what it was asked."""

    def __init__(self) -> None:
        super().__init__(AS_IT_IS)
        self.requests: list[Asked] = []
        self.robots: bytes | None = None
        self._pages: dict[str, Answer] = {}

    def sells(self, name: str, price: str | None, *, currency: str = "JPY", stock: str = "InStock") -> str:
        """It sells this for so much from now on; the address of its page."""
        return self.shows(name, page(name, price, currency, stock))

    def shows(self, name: str, body: bytes, content_type: str = "text/html; charset=utf-8") -> str:
        """This is the page from now on."""
        with self._lock:
            self._pages[f"/{name}"] = reply(200, body, content_type=content_type)
        return f"{self.url}/{name}"

    def answers(self, name: str, answer: Answer) -> str:
        """This is what a page answers from now on."""
        with self._lock:
            self._pages[f"/{name}"] = answer
        return f"{self.url}/{name}"

    def script_for(self, address: str, *next_answers: Answer) -> None:
        """Queue answers for the next requests of this page."""
        self._script_for(address.removeprefix(self.url), *next_answers)

    def asked_for(self, address: str) -> int:
        """How often this page was asked for."""
        return sum(one.path == address.removeprefix(self.url) for one in self.requests)

    def _serve(self, request: Request, connection: Connection) -> None:
        with self._lock:
            if request.path != "/robots.txt":
                self.requests.append(Asked(request.path, dict(request.headers)))
            answer = self._robots() if request.path == "/robots.txt" else self._scripted(request.path)
            if answer is AS_IT_IS:
                answer = self._pages.get(request.path, reply(404, b""))
        if answer.gated:
            self._wait_for_release()
            answer = self._pages.get(request.path, reply(404, b""))
        if answer.ending is Ending.SILENCE:
            self.holding.set()
        connection.end(answer.ending, answer.status or 200, answer.headers, answer.body)

    def _robots(self) -> Answer:
        return NO_ROBOTS if self.robots is None else reply(200, self.robots, content_type="text/plain")


def page(name: str, price: str | None, currency: str = "JPY", stock: str = "InStock") -> bytes:
    """A product page."""
    offer = {"@type": "Offer", "priceCurrency": currency, "availability": f"https://schema.org/{stock}"}
    if price is not None:
        offer["price"] = price
    said = {"@context": "https://schema.org", "@type": "Product", "name": name, "offers": offer}
    return f'<!doctype html><title>x</title><script type="application/ld+json">{json.dumps(said)}</script>'.encode()
