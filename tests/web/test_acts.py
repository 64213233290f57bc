"""Retry, rotate key and cancel, as the pages offer them."""

import json
from datetime import timedelta

import pytest
from flask import Flask

from app import audit
from app.clock import now
from app.outbox.models import Delivery
from app.outbox.state import State
from tests.factories import change, delivery
from tests.web.ledger import KEY, failed, pushed, standing_as
from tests.web.visitor import HTMX, Visitor, text_of


def test_retry_sends_again_with_the_same_key_and_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(key_ambiguous=True)
    answer = admin.post(f"/deliveries/{one}/retry", attempts="1")
    assert (answer.status_code, answer.location) == (303, f"/deliveries/{one}")
    assert f"Delivery {one} is being sent again." in text_of(admin.get(answer.location))
    with pages_app.app_context():
        assert (delivery(one).state, delivery(one).retry_key) == (State.PENDING, KEY)
        assert [entry.actor_name for entry in audit.entries("delivery", one)] == ["admin Aoki"]


def test_the_key_is_offered_to_be_rotated_only_where_retry_would_keep_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        kept, forgotten = failed(), failed(retry_key_used_at=now() - timedelta(days=2))
        never_tried, pushes = failed(retry_key=None, retry_key_used_at=None), pushed()
    offered = [
        one for one in (kept, forgotten, never_tried, pushes) if "Rotate" in admin.get(f"/deliveries/{one}").text
    ]
    assert offered == [kept]


def test_an_act_from_the_list_ends_in_the_same_list(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    back = f"/deliveries?state=failed#delivery-{one}"
    assert admin.post(f"/deliveries/{one}/retry", attempts="1", next=back).location == back
    assert admin.post(f"/deliveries/{one}/cancel", next="https://evil.example/").location == f"/deliveries/{one}"


@pytest.mark.parametrize("act", ["retry", "rotate-key"])
def test_a_possible_second_copy_is_asked_about_before_anything_is_done(
    pages_app: Flask, admin: Visitor, act: str
) -> None:
    with pages_app.app_context():
        one = failed(key_ambiguous=True, retry_key_used_at=now() - timedelta(hours=25))
    question = admin.post(f"/deliveries/{one}/{act}", attempts="1")
    assert question.status_code == 200
    assert "gets the message a second time" in text_of(question)
    assert 'name="confirmed" value="1"' in question.text
    assert f'action="/deliveries/{one}/{act}"' in question.text
    with pages_app.app_context():
        assert delivery(one).state == State.FAILED
    assert admin.post(f"/deliveries/{one}/{act}", attempts="1", confirmed="1").status_code == 303
    with pages_app.app_context():
        assert delivery(one).retry_key is None
        assert audit.entries("delivery", one)[0].detail["may_double"] is True


def test_rotating_a_key_that_was_certainly_refused_says_that_nothing_can_double(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        one = failed()
    question = admin.get(f"/deliveries/{one}/rotate-key")
    assert "no second copy is possible" in text_of(question)
    assert admin.post(f"/deliveries/{one}/rotate-key", attempts="1").status_code == 303
    with pages_app.app_context():
        assert delivery(one).retry_key is None


def test_of_two_admins_who_press_retry_the_second_sees_how_it_stands_now(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    assert admin.post(f"/deliveries/{one}/retry", attempts="1").status_code == 303
    second = admin.post(f"/deliveries/{one}/retry", attempts="1")
    assert second.status_code == 409
    assert "it has moved on since you looked at it" in text_of(second)
    assert "Waiting" in text_of(second)


def test_who_looked_at_an_older_try_starts_no_new_one(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(attempts=2)
    assert admin.post(f"/deliveries/{one}/retry", attempts="1").status_code == 409


def test_cancel_asks_first_and_then_cancels(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.RETRY)
    question = admin.get(f"/deliveries/{one}/cancel")
    assert "髙橋 花子 will not get this message." in text_of(question)
    with pages_app.app_context():
        assert delivery(one).state == State.RETRY
    assert admin.post(f"/deliveries/{one}/cancel").status_code == 303
    page = text_of(admin.get(f"/deliveries/{one}"))
    assert f"Delivery {one} was canceled." in page
    assert "An operator canceled it." in page


@pytest.mark.parametrize("state", [State.SENDING, State.SENT, State.CANCELED])
def test_what_is_being_sent_or_has_ended_cannot_be_canceled(pages_app: Flask, admin: Visitor, state: State) -> None:
    with pages_app.app_context():
        one = standing_as(state=state)
    assert admin.get(f"/deliveries/{one}/cancel").status_code == 409
    assert admin.post(f"/deliveries/{one}/cancel").status_code == 409
    assert admin.get(f"/deliveries/{one}/rotate-key").status_code == 409


@pytest.mark.parametrize("act", ["retry", "rotate-key", "cancel"])
def test_an_act_on_an_unknown_delivery_is_not_found(admin: Visitor, act: str) -> None:
    assert admin.post(f"/deliveries/77/{act}", attempts="1").status_code == 404


@pytest.mark.parametrize("attempts", ["", "many", "-1", "9" * 30, "²"])
def test_a_form_that_does_not_say_what_was_seen_is_refused(pages_app: Flask, admin: Visitor, attempts: str) -> None:
    with pages_app.app_context():
        one = failed()
    assert admin.post(f"/deliveries/{one}/retry", attempts=attempts).status_code == 400


def test_an_act_needs_the_token_of_the_form(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    answer = admin.client.post(f"/deliveries/{one}/retry", data={"attempts": "1"})
    assert answer.status_code == 400
    assert "This form was open for too long" in text_of(answer)
    with pages_app.app_context():
        assert delivery(one).state == State.FAILED


@pytest.mark.parametrize("act", ["rotate-key", "cancel"])
def test_why_is_asked_with_the_question_kept_and_told(pages_app: Flask, admin: Visitor, act: str) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.RETRY, retry_key=KEY, attempts=1)
    assert 'name="why"' in admin.get(f"/deliveries/{one}/{act}").text
    answer = admin.post(f"/deliveries/{one}/{act}", attempts="1", why=" He called,\r\n<b>twice</b> ")
    assert answer.status_code == 303
    with pages_app.app_context():
        assert [entry.why for entry in audit.entries("delivery", one)] == ["He called,\n<b>twice</b>"]
    page = admin.get(f"/deliveries/{one}")
    assert "“He called, <b>twice</b>”" in text_of(page)
    assert "<b>twice</b>" not in page.text


def test_why_is_asked_when_a_retry_has_to_be_confirmed_and_may_be_left_out(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(key_ambiguous=True, retry_key_used_at=now() - timedelta(hours=25))
    assert 'name="why"' in admin.post(f"/deliveries/{one}/retry", attempts="1").text
    assert admin.post(f"/deliveries/{one}/retry", attempts="1", confirmed="1", why="  ").status_code == 303
    with pages_app.app_context():
        assert "why" not in audit.entries("delivery", one)[0].detail


@pytest.mark.parametrize(
    ("why", "says"), [("x" * 301, "Write at most 300 characters; these are 301."), ("a\x07b", "characters that are no")]
)
def test_a_reason_that_cannot_be_kept_is_said_at_its_field_and_nothing_is_done(
    pages_app: Flask, admin: Visitor, why: str, says: str
) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.RETRY)
    refused = admin.post(f"/deliveries/{one}/cancel", why=why, next="/deliveries?state=retry")
    assert refused.status_code == 422
    assert says in text_of(refused)
    assert why in refused.text
    assert 'value="/deliveries?state=retry"' in refused.text
    with pages_app.app_context():
        assert delivery(one).state == State.RETRY


@pytest.mark.parametrize("act", ["retry", "rotate-key", "cancel"])
def test_what_was_sent_meanwhile_answers_409_with_how_it_stands_and_the_way_back_to_the_list(
    pages_app: Flask, admin: Visitor, act: str
) -> None:
    with pages_app.app_context():
        one = failed()
        change(Delivery, one, state=State.SENT, failure_code=None)
    back = f"/deliveries?state=failed#delivery-{one}"
    stale = admin.post(f"/deliveries/{one}/{act}", attempts="1", next=back)
    assert stale.status_code == 409
    assert "it has moved on since you looked at it" in text_of(stale)
    assert "Sent" in text_of(stale)
    assert f'href="{back}"' in stale.text
    for elsewhere in ("https://evil.example/", "//evil.example"):
        assert "evil" not in admin.post(f"/deliveries/{one}/{act}", attempts="1", next=elsewhere).text


@pytest.mark.parametrize("act", ["retry", "rotate-key", "cancel"])
def test_htmx_gets_the_row_as_it_now_is(pages_app: Flask, admin: Visitor, act: str) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.CANCELED, cancel_reason="shift_changed")
    stale = admin.post(f"/deliveries/{one}/{act}", headers=HTMX, attempts="0")
    assert stale.status_code == 409
    assert stale.text.lstrip().startswith(f'<tr id="delivery-{one}"')
    assert "it has moved on since you looked at it" in json.loads(stale.headers["HX-Trigger"])["app:said"]["words"]
    assert "Not sent (rightly)" in text_of(stale)
    assert "The shift was changed" in text_of(stale)
    assert f'href="/deliveries/{one}"' in stale.text


def test_a_retry_from_the_list_changes_the_row_where_it_is(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    done = admin.post(f"/deliveries/{one}/retry", headers=HTMX, attempts="1", next="/deliveries?state=failed")
    assert done.status_code == 200
    assert done.text.lstrip().startswith(f'<tr id="delivery-{one}"')
    assert done.headers["HX-Trigger"].isascii()
    assert json.loads(done.headers["HX-Trigger"])["app:said"]["words"] == f"Delivery {one} is being sent again."
    assert f'id="retry-{one}"' not in done.text


def test_a_retry_from_the_list_that_needs_a_yes_is_asked_on_a_page_of_its_own(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(key_ambiguous=True, retry_key_used_at=now() - timedelta(hours=25))
    asked = admin.post(f"/deliveries/{one}/retry", headers=HTMX, attempts="1", next="/deliveries?state=failed")
    assert asked.status_code == 204
    question = asked.headers["HX-Redirect"]
    assert question == f"/deliveries/{one}/retry?next=/deliveries?state%3Dfailed"
    assert "gets the message a second time" in text_of(admin.get(question))


def test_a_cancel_that_is_sent_twice_cancels_once(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = standing_as(state=State.RETRY)
    assert [admin.post(f"/deliveries/{one}/cancel").status_code for _ in range(2)] == [303, 409]
    with pages_app.app_context():
        assert len(audit.entries("delivery", one)) == 1
