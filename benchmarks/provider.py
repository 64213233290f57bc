"""A provider in a process of its own that answers 2xx after so many milliseconds and checks nothing.

The tests' fakes decrypt and verify, in Python threads: they would be what is measured.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nX-Line-Request-Id: bench\r\n\r\n"


@contextmanager
def provider(latency: float) -> Iterator[str]:
    """Its origin; `latency` in seconds."""
    context = get_context("spawn")
    mine, its = context.Pipe()
    process = context.Process(target=_serve, args=(its, latency), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{mine.recv()}"
    finally:
        process.terminate()
        process.join()


def _serve(told: Connection, latency: float) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
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
