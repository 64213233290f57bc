"""Whoever goes back and sends something else in the same form is told so, keeps it, and can send it after all."""

from typing import Any

import pytest
from flask import Flask

from tests.factories import make_account
from tests.sources.conversations.talk import ask, email_of, start
from tests.web.test_inquiries import form_of
from tests.web.test_stores import Town
from tests.web.visitor import Visitor, text_of


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/conversations/new", "text"),
        ("/conversations/{talk}/messages", "text"),
        ("/inquiries/new", "text"),
        ("/inquiries/{inquiry}/messages", "text"),
        ("/reports/new", "title"),
        ("/stores/new", "phone"),
    ],
)
def test_it_is_kept_under_a_new_id_and_sent_by_sending_it_again(
    pages_app: Flask, path: str, field: str, language: str
) -> None:
    town = Town(pages_app)
    with pages_app.app_context():
        admin, email = make_account("admin", language=language), email_of(town.stranger)
        places = {"talk": start(admin, town.stranger), "inquiry": ask(admin, town.store)}
    visitor, path = Visitor(pages_app, admin, language), path.format(**places)
    fields: dict[str, Any] = {
        "emails": email, "email": email, "store": str(town.store), "subject": "件", "name": "店", "title": "題",
        "description": "明細", "text": "先の文", "request_id": "one form",
    }  # fmt: skip
    first = visitor.post(path, **fields)
    again = visitor.post(path, **fields)
    assert (first.status_code, again.location) == (303, first.location)
    other = {**fields, field: "別の内容"}
    refused = visitor.post(path, **other)
    assert refused.status_code == 422
    said = {"en": "This form was sent before", "ja": "このフォームは、別の内容ですでに送信されています。"}[language]
    assert said in text_of(refused)
    assert "別の内容" in refused.text
    second = visitor.post(path, **{**other, "request_id": form_of(refused.text)})
    assert second.status_code == 303
    assert second.location != first.location
