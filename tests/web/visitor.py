"""Somebody with a browser: keeps cookies, carries the token of forms, and reads what came."""

import re
from html import unescape
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.factories import signed_in

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}


class Visitor:
    """One browser, signed in as an account, which reads this language, or as nobody."""

    def __init__(self, app: Flask, account_id: int | None = None, language: str = "en") -> None:
        self.account_id = account_id
        self.client = app.test_client()
        self.client.set_cookie("language", language)
        if account_id is not None:
            with app.app_context():
                secret = signed_in(account_id, language)
            with self.client.session_transaction() as session:
                session["_user_id"] = secret

    def get(self, path: str, **options: Any) -> TestResponse:
        """Open a page."""
        return self.client.get(path, **options)

    def part(self, path: str) -> TestResponse:
        """What htmx gets at a tick."""
        return self.client.get(path, headers=HTMX)

    def post(self, path: str, headers: dict[str, str] | None = None, **fields: Any) -> TestResponse:
        """Send a form, with the token that stands on every page."""
        form = {"csrf_token": self.token(), **fields}
        return self.client.post(path, data=form, headers=headers, content_type="multipart/form-data")

    def token(self) -> str:
        """The token for this browser's forms."""
        page = self.get("/no-such-page").get_data(as_text=True)
        found = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert found is not None
        return found.group(1)


def text_of(response: TestResponse) -> str:
    """What a reader sees: no tags, single spaces."""
    page = response.get_data(as_text=True)
    without_head = re.sub(r"<head>.*?</head>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", without_head))).strip()
