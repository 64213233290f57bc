"""The headers that every answer carries."""

from base64 import b64encode
from hashlib import sha384

import pytest
from flask import Flask

from app.config import HTMX_CDN, ROOT
from app.web.template_context import HTMX_INTEGRITY
from tests.web.visitor import Visitor


@pytest.mark.parametrize("path", ["/login", "/no-such-page", "/healthz", "/static/app.css", "/overview"])
def test_the_content_security_policy_stands_on_every_answer(stranger: Visitor, path: str) -> None:
    with stranger.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert f"script-src 'self' {HTMX_CDN};" in policy
        assert "style-src 'self';" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_pages_are_kept_by_no_cache_and_parts_are_told_from_pages(admin: Visitor) -> None:
    answer = admin.get("/deliveries")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "HX-Request" in answer.vary


def test_the_script_from_the_cdn_is_pinned_to_the_bytes_of_the_local_copy(stranger: Visitor) -> None:
    local = (ROOT / "static/vendor/htmx.min.js").read_bytes()
    assert f"sha384-{b64encode(sha384(local).digest()).decode()}" == HTMX_INTEGRITY
    page = stranger.get("/login").text
    assert f'data-htmx="{HTMX_CDN}" data-integrity="{HTMX_INTEGRITY}"' in page


def test_the_language_and_theme_are_kept_for_this_browser(pages_app: Flask, stranger: Visitor) -> None:
    answer = stranger.post("/language", language="ja", next="/login?next=/shifts")
    assert (answer.status_code, answer.location) == (303, "/login?next=/shifts")
    assert '<html lang="ja"' in stranger.get("/login").text
    assert stranger.post("/theme", theme="dark", next="//evil.example").location == "/"
    assert 'data-theme="dark"' in stranger.get("/login").text
