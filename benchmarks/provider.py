"""A provider in a process of its own that answers 2xx after so many milliseconds and checks nothing.

The tests' fakes decrypt and verify, in Python threads: they would be what is measured.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from app.clock import monotonic

ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nX-Line-Request-Id: bench\r\n\r\n"


@contextmanager
def provider(latency: float) -> Iterator[str]:
    """Its origin; `latency` in seconds."""
    with _running(latency, tells=False) as (origin, _):
        yield origin


@contextmanager
def telling_provider(latency: float) -> Iterator[tuple[str, Connection]]:
    """Its origin, and where it tells of each request when its head was read, in the monotonic seconds of this machine,
    which are the same in all processes."""
    with _running(latency, tells=True) as running:
        yield running


@contextmanager
def _running(latency: float, tells: bool) -> Iterator[tuple[str, Connection]]:
    context = get_context("spawn")
    mine, its = context.Pipe()
    process = context.Process(target=_serve, args=(its, latency, tells), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{mine.recv()}", mine
    finally:
        process.terminate()
        process.join()


def _serve(told: Connection, latency: float, tells: bool) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if tells:
                    told.send(monotonic())
                await reader.readexactly(_length(head))
                if latency:
                    await asyncio.sleep(latency)
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
