"""Retry, rotate key and cancel, as the pages offer them."""

from datetime import timedelta

import pytest
from flask import Flask

from app import audit
from app.clock import now
from app.outbox.state import State
from tests.factories import delivery
from tests.web.ledger import KEY, failed, standing_as
from tests.web.visitor import Visitor, text_of


def test_retry_sends_again_with_the_same_key_and_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(key_ambiguous=True)
    answer = admin.post(f"/deliveries/{one}/retry", attempts="1")
    assert (answer.status_code, answer.location) == (303, f"/deliveries/{one}")
    assert f"Delivery {one} is being sent again." in text_of(admin.get(answer.location))
    with pages_app.app_context():
        assert (delivery(one).state, delivery(one).retry_key) == (State.PENDING, KEY)
        assert [entry.actor_name for entry in audit.entries("delivery", one)] == ["admin Aoki"]


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
