"""What the fakes of providers have in common: a server at a real socket that does what the test has scripted."""

from collections import defaultdict, deque
from threading import Condition, Event, Lock
from typing import Self

from tests.fakes.line_answers import Answer
from tests.fakes.line_server import Connection, LineServer, Request


class ScriptedServer:
    """Start it, script what it shall do, let go on what it holds. A fake of one provider fills in `_serve`."""

    def __init__(self, otherwise: Answer) -> None:
        self._otherwise = otherwise
        """What it does once nothing is scripted."""
        self._lock = Lock()
        self._next: deque[Answer] = deque()
        self._next_for: dict[str, deque[Answer]] = defaultdict(deque)
        self.held = 0
        """How many requests wait for `release`."""
        self.holding = Event()
        """Set as soon as a request waits: for `release` (HOLD), or in a silence that its client has yet to give up."""
        self._released = Condition()
        self._releases = 0
        self._server = LineServer(self._serve)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Serve on a free port of 127.0.0.1."""
        self._server.start()

    def stop(self) -> None:
        """Free every held connection, end, and raise what broke inside."""
        self._server.stopping.set()
        self.release()
        self._server.stop()

    @property
    def url(self) -> str:
        """Its origin."""
        return self._server.url

    @property
    def connections(self) -> int:
        """How many connections were made so far."""
        return self._server.connections

    def script(self, *next_answers: Answer) -> None:
        """Queue answers for the next requests, whoever they are for; ACCEPT follows."""
        with self._lock:
            self._next.extend(next_answers)

    def release(self) -> None:
        """Let go on, and be accepted, whatever waits now."""
        with self._released:
            self._releases += 1
            self.holding.clear()
            self._released.notify_all()

    def _script_for(self, whom: str, *next_answers: Answer) -> None:
        with self._lock:
            self._next_for[whom].extend(next_answers)

    def _scripted(self, whom: str) -> Answer:
        for queue in (self._next_for[whom], self._next):
            if queue:
                return queue.popleft()
        return self._otherwise

    def _wait_for_release(self) -> None:
        with self._released:
            mine = self._releases
            self.held += 1
            self.holding.set()
            self._released.wait_for(lambda: self._releases > mine or self._server.stopping.is_set())
            self.held -= 1

    def _serve(self, request: Request, connection: Connection) -> None:
        """Answer one request."""
        raise NotImplementedError
