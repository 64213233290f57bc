"""A sandbox of its own for each test: served on a free port, or asked through Flask's test client."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import requests
from flask import Flask
from flask.testing import FlaskClient

from app.config import SANDBOX_TOKEN
from app.sandbox import create_sandbox
from app.sandbox.connection import listen, serve_on

TUTOR = "U" + "0123456789abcdef" * 2
PUSH = "/v2/bot/message/push"


class Line:
    """A caller of the sandbox at `base`, the way Todoke calls LINE."""

    def __init__(self, base: str) -> None:
        self.base = base

    def push(self, *messages: object, key: str | None = None, timeout: float = 5, **body: object) -> requests.Response:
        """Push one text, or `messages`, to the tutor; `body` replaces parts of the JSON."""
        said = {"to": TUTOR, "messages": list(messages) or [text("こんにちは")], **body}
        return self.ask("POST", PUSH, json=said, key=key, timeout=timeout)

    def ask(self, method: str, path: str, *, key: str | None = None, **more: Any) -> requests.Response:
        """One request with the sandbox's token, and a retry key if given."""
        headers = {"Authorization": f"Bearer {SANDBOX_TOKEN}", **more.pop("headers", {})}
        if key is not None:
            headers["X-Line-Retry-Key"] = key
        return requests.request(method, self.base + path, headers=headers, **{"timeout": 5, **more})

    def set_next(self, answer: str, count: int = 1) -> None:
        """Press the button on the page that sets the next answers."""
        pressed = requests.post(f"{self.base}/answers", data={"answer": answer, "count": count}, timeout=5)
        assert pressed.status_code == 200, pressed.text

    def used(self) -> int:
        """How many messages the sandbox counted this month, which is how many arrived."""
        return int(self.ask("GET", "/v2/bot/message/quota/consumption").json()["totalUsage"])


def text(words: str) -> dict[str, object]:
    """A text message."""
    return {"type": "text", "text": words}


def new_key() -> str:
    """A retry key."""
    return str(uuid4())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the sandbox keeps its file."""
    return tmp_path / "sandbox.db"


@pytest.fixture
def serve() -> Iterator[Callable[[Path], Line]]:
    """Serves a sandbox on a free port until the test ends."""
    running = []

    def start(file: Path) -> Line:
        sandbox = create_sandbox(file)
        server = serve_on(listen(0), sandbox)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        running.append((server, thread))
        return Line(f"http://127.0.0.1:{server.port}")

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join(timeout=5)
        assert not thread.is_alive()


@pytest.fixture
def fresh(serve: Callable[[Path], Line], file: Path) -> Line:
    """A sandbox just as a new user meets it."""
    return serve(file)


@pytest.fixture
def line(fresh: Line) -> Line:
    """A sandbox that answers as LINE would."""
    requests.post(f"{fresh.base}/answers/clear", timeout=5)
    return fresh


@pytest.fixture
def sandbox(file: Path) -> Flask:
    """The app behind the pages."""
    return create_sandbox(file)


@pytest.fixture
def page(sandbox: Flask) -> FlaskClient:
    """A browser that reads English."""
    browser = sandbox.test_client()
    browser.set_cookie("todoke_sandbox_language", "en")
    return browser
