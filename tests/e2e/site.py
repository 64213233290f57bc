"""The app at a real port, and browsers that look at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route
from werkzeug.serving import make_server

from app.accounts.models import Account
from app.config import ROOT
from app.extensions import db
from tests.factories import make_account, signed_in

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PASSWORD = "a password of hers"
CDN = "https://cdn.jsdelivr.net/**"
HTMX = (ROOT / "static/vendor/htmx.min.js").read_bytes()


UNTIL_LOADED = """(() => {
  const root = () => document.documentElement;
  const wait = (_, watch) => { if (root()) { root().style.pointerEvents = 'none'; watch?.disconnect(); } };
  if (root()) wait(); else new MutationObserver(wait).observe(document, { childList: true });
  addEventListener('load', () => root().removeAttribute('style'));
})();"""
"""A page takes no click before its scripts are there: what was clicked sooner would go the way of a browser without
them, which other tests go."""
PATIENCE = 30_000
"""Milliseconds until a test gives up waiting for the browser."""


class Site:
    """The app behind an address, with an administrator who can sign in."""

    def __init__(self, app: Flask, url: str, admin: int, email: str) -> None:
        self.app = app
        self.url = url
        self.admin = admin
        self.email = email

    def session_of(self, account_id: int, language: str) -> str:
        """The session cookie of somebody who is signed in, and reads this language."""
        client = self.app.test_client()
        with self.app.app_context():
            secret = signed_in(account_id, language)
        with client.session_transaction() as session:
            session["_user_id"] = secret
        cookie = client.get_cookie("session")
        assert cookie is not None
        return cookie.value


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The app at a port of its own; its address."""
    server = make_server("127.0.0.1", 0, _whole(app), threaded=True)
    thread = Thread(target=server.serve_forever, name="site")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _whole(app: Flask) -> WSGIApplication:
    """The app, whose answers are read to their end at once: this server forgets to close the file of an answer when the
    browser went away meanwhile, and the warning about it would fail whichever test runs then.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        parts = app(environ, start_response)
        try:
            return [b"".join(parts)]
        finally:
            if hasattr(parts, "close"):
                parts.close()

    return answer


class Looking:
    """Browser windows of one test, each with what it complained about."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser = browser
        self._site = site
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def window(
        self, *, signed_in: bool = True, language: str = "en", width: int = 1280, theme: str = "light", js: bool = True
    ) -> Page:
        """A new window of a browser that has the CDN."""
        context = self._browser.new_context(
            base_url=self._site.url,
            viewport={"width": width, "height": 800},
            color_scheme="dark" if theme == "dark" else "light",
            java_script_enabled=js,
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.route(CDN, _from_cdn)
        context.add_init_script(UNTIL_LOADED)
        cookies = {"language": language}
        if signed_in:
            cookies["session"] = self._site.session_of(self._site.admin, language)
        for name, value in cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": self._site.url}])
        page = context.new_page()
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)


def _from_cdn(route: Route) -> None:
    serve(route, HTMX)


def serve(route: Route, body: bytes) -> None:
    """Answer for the CDN."""
    headers = {"content-type": "application/javascript", "access-control-allow-origin": "*"}
    route.fulfill(status=200, headers=headers, body=body)


def tick(page: Page) -> None:
    """One tick, and the answer to it put in place."""
    with page.expect_response(lambda response: response.request.headers.get("hx-request") == "true") as answer:
        page.evaluate("document.body.dispatchEvent(new CustomEvent('app:tick'))")
    answer.value.finished()
    wait_until(page, "!document.querySelector('.htmx-request')")


def make_admin() -> tuple[int, str]:
    """An administrator who can sign in, and the e-mail address."""
    account = make_account("admin", name="青木 葵", language="en", password=PASSWORD)
    return account, db.session.get_one(Account, account).email


def wait_until(page: Page, script: str) -> None:
    """Until this holds on the page. Asked again from here: `wait_for_function` has the page itself evaluate the text
    once the first answer was no, and our Content-Security-Policy forbids that."""
    ends = monotonic() + PATIENCE / 1000
    while not _holds(page, script):
        assert monotonic() < ends, f"waited in vain until {script}"
        page.wait_for_timeout(20)


def _holds(page: Page, script: str) -> bool:
    try:
        return bool(page.evaluate(script))
    except Error as gone:
        if "context was destroyed" in gone.message:  # it went on to another page
            return False
        raise
