"""Failures, told in words."""

import pytest
from flask import Flask

from app.web.guards import Pages
from tests.web.visitor import Visitor, text_of


@pytest.mark.parametrize(("language", "title"), [("ja", "ページが見つかりません"), ("en", "There is no such page")])
def test_an_unknown_page_is_told_in_the_readers_language(pages_app: Flask, language: str, title: str) -> None:
    answer = Visitor(pages_app, language=language).get("/no-such-page")
    assert answer.status_code == 404
    assert f'<html lang="{language}"' in answer.text
    assert title in text_of(answer)


@pytest.mark.parametrize("path", ["/no-such-page", "/gates"])
def test_whoever_is_signed_in_keeps_the_frame(staff: Visitor, stranger: Visitor, path: str) -> None:
    page = staff.get(path)
    assert page.status_code in (403, 404)
    assert 'href="/shifts"' in page.text
    assert 'action="/logout"' in page.text
    assert 'action="/logout"' not in stranger.get("/no-such-page").text


def test_a_wrong_method_says_which_are_right(admin: Visitor) -> None:
    answer = admin.get("/language")
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST, OPTIONS" or set(answer.allow or ()) == {"POST", "OPTIONS"}


def test_too_large_a_file_is_told_in_words(admin: Visitor) -> None:
    token = admin.token()
    answer = admin.client.post("/shifts/import", data={"csrf_token": token, "note": "x" * (9 * 1024 * 1024)})
    assert answer.status_code == 413
    assert "This file is too large" in text_of(answer)


def test_a_fault_of_our_own_is_an_apology_without_the_cause(pages_app: Flask, admin: Visitor) -> None:
    broken = Pages("broken", open_to=None)
    broken.add_url_rule("/broken", "show", _broken)
    pages_app.register_blueprint(broken)
    answer, part = admin.get("/broken"), admin.part("/broken")
    assert answer.status_code == part.status_code == 500
    assert "Todoke met a fault of its own" in text_of(answer)
    assert "secret" not in answer.text
    assert "<html" not in part.text


def _broken() -> str:
    raise RuntimeError("a secret")


@pytest.mark.parametrize("path", ["/language", "/theme"])
def test_an_unknown_choice_is_refused(stranger: Visitor, path: str) -> None:
    assert stranger.post(path, language="xx", theme="xx").status_code == 400
