"""`wsgi.py` in a house that has the kinds of the benchmarks, and a server for it such as `make run` starts."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_server

import requests
from flask import Flask

from app.clock import pause
from app.config import ROOT
from app.start.__main__ import PORT, WEB
from tests.fakes import workers
from tests.fixtures.background import environment_of
from tests.web.visitor import Visitor
from wsgi import app as with_kinds

__all__ = ["with_kinds", "workers"]


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Its origin; the server uses this app's database and Redis."""
    with create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [part.replace(f":{PORT}", f":{port}").replace("wsgi:app", "benchmarks.site:with_kinds") for part in WEB]
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment_of(app))
    try:
        yield _answering(f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait()


def signed_in(app: Flask, account_id: int) -> requests.Session:
    """A browser of this account."""
    cookie = Visitor(app, account_id).client.get_cookie("session")
    assert cookie is not None
    browser = requests.Session()
    browser.cookies.set("session", cookie.value)
    return browser


def _answering(origin: str) -> str:
    for _ in range(300):
        try:
            requests.get(f"{origin}/healthz", timeout=60)
        except requests.ConnectionError:
            pause(0.1)
        else:
            return origin
    raise TimeoutError("the server does not answer")
