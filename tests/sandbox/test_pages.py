"""The sandbox's pages: what arrived and what was refused, the switches, forgetting, both languages, safe headers."""

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.sandbox.answers import ANSWERS
from app.sandbox.words import WORDS
from tests.sandbox.conftest import PUSH, TUTOR, new_key, text
from tests.sandbox.samples import bubble, button, flex, reminder, words


def push(page: FlaskClient, *messages: object, key: str | None = None, **body: object) -> TestResponse:
    headers = {"Authorization": "Bearer sandbox"} | ({"X-Line-Retry-Key": key} if key else {})
    return page.post(PUSH, json={"to": TUTOR, "messages": messages or [text("hello")], **body}, headers=headers)


def seen(page: FlaskClient, address: str = "/") -> str:
    """The page as text, runs of white space made one space."""
    answer = page.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.text)


def clear(page: FlaskClient) -> None:
    assert page.post("/answers/clear").status_code == 303


def test_a_fresh_page_says_openly_that_the_second_push_fails(page: FlaskClient) -> None:
    assert "The second LINE message will be refused on purpose" in seen(page)
    push(page)
    assert "The second LINE message will be refused on purpose" in seen(page)
    push(page)
    after = seen(page)
    assert "The second LINE message will be refused on purpose" not in after
    assert "Nothing delivered" in after
    assert "answered: 429 The API rate limit has been exceeded. Try again later." in after
    assert "on purpose (set under “Next answers”)" in after


def test_a_reminder_is_drawn_with_recipient_alternative_text_key_and_request(page: FlaskClient) -> None:
    key = new_key()
    request_id = push(page, reminder(), key=key).headers["x-line-request-id"]
    html = seen(page)
    assert '<div class="text text-lg ink-27408b bold wrap">まもなく授業です</div>' in html
    assert "In the chat list<span>【2時間後】" in html
    assert f"To <code>{TUTOR[:5]}…{TUTOR[-4:]}</code>" in html
    assert f"key <code>…{key[-6:]}</code> · request <code>{request_id[:8]}</code>" in html
    assert 'href="/colours.css?of=1f2430.27408b.5c6270.f3f1ec"' in html


def test_the_newest_message_stands_first_and_older_ones_on_the_next_page(page: FlaskClient) -> None:
    clear(page)
    for n in range(31):
        push(page, text(f"message-{n}"))
    first = seen(page)
    assert first.index("message-30<") < first.index("message-29<")
    assert "message-0<" not in first
    older = re.search(r'href="(/\?before=\d+)"', first)
    assert older
    assert "message-0<" in seen(page, older[1])


def test_a_repeated_key_is_told_as_not_delivered_again(page: FlaskClient) -> None:
    clear(page)
    key = new_key()
    push(page, key=key)
    push(page, key=key)
    html = seen(page)
    assert html.count('class="speech"') == 1
    assert "Already accepted, not delivered again" in html
    assert "answered: 409 The retry key is already accepted" in html


def test_a_message_accepted_but_answered_500_is_shown_as_delivered_unknown_to_the_sender(page: FlaskClient) -> None:
    clear(page)
    page.post("/answers", data={"answer": "server_error_after", "count": "1"})
    push(page)
    html = seen(page)
    assert '<p class="speech">hello</p>' in html
    assert "Delivered, but the sender was not told so" in html


def test_a_malformed_request_is_listed_with_its_fault(page: FlaskClient) -> None:
    push(page, to="nobody")
    page.get("/v2/nowhere")
    html = seen(page)
    assert "answered: 400 The property, &#39;to&#39;, in the request body is invalid" in html
    assert "<code>GET /v2/nowhere</code>" in html
    assert "answered: 404 Not found" in html


def test_messages_cannot_bring_markup_or_scripts(page: FlaskClient) -> None:
    evil = "<script>alert(1)</script>"
    push(page, text(evil), flex(bubble(words(evil), button(evil)), alt=evil))
    assert evil not in seen(page)


def test_the_queue_is_shown_in_its_order_and_can_be_cleared(page: FlaskClient) -> None:
    clear(page)
    page.post("/answers", data={"answer": "cut_after", "count": "3"})
    page.post("/answers", data={"answer": "unauthorized", "count": "1"})
    queue = re.search(r'<ol class="queue">(.*?)</ol>', seen(page))
    assert queue
    assert re.findall(r"<li>([^<]*)", queue[1]) == ["Connection cut after accepting ", "401 unauthorized"]
    assert "× 3" in queue[1]
    clear(page)
    assert "None set: every push gets LINE’s ordinary answer." in seen(page)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"answer": "maybe", "count": "1"}, "Answer: choose one from the list."),
        ({"answer": "ordinary", "count": "0"}, "How many times: a whole number from 1 to 20."),
        ({"answer": "ordinary", "count": "21"}, "How many times: a whole number from 1 to 20."),
        ({"answer": "ordinary", "count": "２.５"}, "How many times: a whole number from 1 to 20."),
        ({"answer": "ordinary", "count": "9" * 9999}, "How many times: a whole number from 1 to 20."),
        ({}, "Answer: choose one from the list."),
    ],
)
def test_a_faulty_switch_names_the_field_keeps_what_was_typed_and_sets_nothing(
    page: FlaskClient, data: dict[str, str], sentence: str
) -> None:
    clear(page)
    answer = page.post("/answers", data=data)
    assert answer.status_code == 400
    assert sentence in answer.text
    assert f'value="{data.get("count", "1")}"' in answer.text
    assert "None set" in answer.text


def test_full_width_digits_are_digits(page: FlaskClient) -> None:
    clear(page)
    assert page.post("/answers", data={"answer": "bad_request", "count": "２"}).status_code == 303
    assert [push(page).status_code for _ in range(3)] == [400, 400, 200]


def test_no_more_than_a_hundred_answers_wait(page: FlaskClient) -> None:
    clear(page)
    sent = [page.post("/answers", data={"answer": "cut_after", "count": "20"}) for _ in range(6)]
    assert [answer.status_code for answer in sent] == [303] * 5 + [400]
    assert "100 in all at most" in sent[-1].text


@pytest.mark.parametrize("limit", ["", "-1", "1000001", "many", "1.5"])
def test_a_faulty_limit_names_the_field_and_changes_nothing(page: FlaskClient, limit: str) -> None:
    answer = page.post("/limit", data={"limit": limit})
    assert answer.status_code == 400
    assert "Monthly limit: a whole number from 0 to 1000000." in answer.text
    assert f'value="{limit}"' in answer.text
    assert "0 of 1000 messages used" in answer.text


def test_forgetting_asks_first_and_then_starts_over(page: FlaskClient) -> None:
    clear(page)
    page.post("/limit", data={"limit": "5"})
    key = new_key()
    push(page, key=key)
    assert "This erases 1 requests, 1 of them delivered pushes." in seen(page, "/forget")
    assert push(page, key=key).status_code == 409
    assert page.post("/forget").status_code == 303
    assert "Nothing has arrived yet." in seen(page)
    assert "0 of 1000 messages used" in seen(page)
    assert [push(page, key=key).status_code, push(page).status_code] == [200, 429]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://[", "http://localhost:8000"])
@pytest.mark.parametrize("address", ["/answers", "/answers/clear", "/limit", "/forget"])
def test_a_form_of_another_site_is_refused(page: FlaskClient, address: str, origin: str) -> None:
    push(page)
    answer = page.post(address, data={"limit": "1"}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert "This form was not sent from the sandbox’s page." in answer.text
    assert '<p class="speech">hello</p>' in seen(page)
    assert "1 of 1000 messages used" in seen(page)


def test_the_pages_own_form_is_taken(page: FlaskClient) -> None:
    assert page.post("/limit", data={"limit": "7"}, headers={"Origin": "http://localhost"}).status_code == 303


def test_the_language_is_chosen_by_address_then_cookie_then_browser(page: FlaskClient) -> None:
    page.delete_cookie("todoke_sandbox_language")
    assert '<html lang="ja">' in page.get("/").text
    assert '<html lang="en">' in page.get("/", headers={"Accept-Language": "en-GB"}).text
    assert '<html lang="en">' in page.get("/?lang=en").text
    assert '<html lang="en">' in page.get("/", headers={"Accept-Language": "ja"}).text
    assert '<html lang="en">' in page.get("/?lang=xx").text
    assert '<html lang="ja">' in page.get("/?lang=ja").text


@pytest.mark.parametrize("word", WORDS)
def test_both_languages_say_the_same_with_the_same_blanks(word: str) -> None:
    japanese, english = WORDS[word]
    assert japanese
    assert english
    assert set(re.findall(r"{\w+}", japanese)) == set(re.findall(r"{\w+}", english))


def test_every_answer_has_its_word(page: FlaskClient) -> None:
    assert {f"answer_{name}" for name in ANSWERS} <= set(WORDS)


@pytest.mark.parametrize("address", ["/", "/forget", "/nowhere", "/v2/nowhere", "/version", "/static/sandbox.css"])
def test_every_answer_forbids_foreign_and_inline_code(page: FlaskClient, address: str) -> None:
    answer = page.get(address)
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'; img-src 'self' data:")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "style=" not in answer.text
    answer.close()


def test_the_version_changes_with_the_page(page: FlaskClient) -> None:
    versions = [page.get("/version").text]
    push(page)
    versions.append(page.get("/version").text)
    page.post("/limit", data={"limit": "3"})
    versions.append(page.get("/version").text)
    assert len(set(versions)) == 3


@pytest.mark.parametrize("address", ["/?before=x", "/?before=-1", "/?before=" + "9" * 30, "/?lang=%FF", "/%FF"])
def test_odd_addresses_get_an_answer(page: FlaskClient, address: str) -> None:
    assert page.get(address).status_code in (200, 404)
