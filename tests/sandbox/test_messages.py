"""LINE's limits on messages: what is just allowed passes, one step more is refused with the property's name."""

from typing import Any

import pytest

from app.sandbox.messages import faults_of
from tests.sandbox.conftest import Line, text
from tests.sandbox.samples import box, bubble, button, flex, reminder, words


def carousel(*bubbles: dict[str, Any]) -> dict[str, Any]:
    return {"type": "carousel", "contents": list(bubbles)}


def bubble_of_size(size: int) -> dict[str, Any]:
    """A bubble whose JSON has exactly `size` bytes."""
    frame = len('{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[{"type":"text","text":""}]}}')
    return {
        "type": "bubble",
        "body": {"type": "box", "layout": "vertical", "contents": [{"type": "text", "text": "a" * (size - frame)}]},
    }


ALLOWED = {
    "a reminder": reminder(),
    "5000 units of text": text("𠮷" * 2500),
    "400 units of alternative text": flex(bubble(), alt="あ" * 400),
    "a label of 40": flex(bubble(button("あ" * 40))),
    "marks in a label": flex(bubble(button("か\u3099" * 40))),
    "an address of 1000": flex(bubble(button(uri="https://a.jp/".ljust(1000, "a")))),
    "a telephone": flex(bubble(button(uri="tel:0312345678"))),
    "line itself": flex(bubble(button(uri="line://ti/p/@x"))),
    "12 bubbles": flex(carousel(*[bubble()] * 12)),
    "30 KB": flex(bubble_of_size(30 * 1024)),
    "spans": flex(bubble({"type": "text", "contents": [{"type": "span", "text": "a"}]})),
    "a picture on top": flex(bubble(hero={"type": "image", "url": "https://a.jp/a.png"})),
    "a sticker": {"type": "sticker", "packageId": "1", "stickerId": "1"},
}


@pytest.mark.parametrize("message", ALLOWED.values(), ids=ALLOWED.keys())
def test_what_is_just_allowed_is_accepted(line: Line, message: dict[str, Any]) -> None:
    answer = line.push(message)
    assert (answer.status_code, answer.json().get("details")) == (200, None)


PLAIN = {
    "no object": ("text", "messages[0]"),
    "no kind": ({"text": "a"}, "messages[0].type"),
    "an unknown kind": ({"type": ["text"]}, "messages[0].type"),
    "no text": ({"type": "text"}, "messages[0].text"),
    "an empty text": (text(""), "messages[0].text"),
    "5001 units of text": (text("𠮷" * 2500 + "a"), "messages[0].text"),
    "401 units of alternative text": (flex(bubble(), alt="😀" * 200 + "a"), "messages[0].altText"),
    "no alternative text": (flex(bubble(), alt=""), "messages[0].altText"),
    "no contents": ({"type": "flex", "altText": "a"}, "messages[0].contents"),
}


@pytest.mark.parametrize(("message", "name"), PLAIN.values(), ids=PLAIN.keys())
def test_a_faulty_message_is_refused_by_the_name_of_its_property(line: Line, message: object, name: str) -> None:
    answer = line.push(message)
    assert answer.status_code == 400
    assert answer.json()["message"] == "The request body has 1 error(s)"
    assert [detail["property"] for detail in answer.json()["details"]] == [name]


INSIDE = {
    "neither bubble nor carousel": ({"type": "box"}, "/type"),
    "an empty bubble": ({"type": "bubble"}, "/"),
    "a body that is no box": ({"type": "bubble", "body": words("a")}, "/body"),
    "an unknown component": (bubble({"type": "table"}), "/body/contents/0/type"),
    "a component that is none": (bubble([]), "/body/contents/0/type"),  # type: ignore[arg-type]
    "a box without layout": (bubble({"type": "box", "contents": []}), "/body/contents/0/layout"),
    "a box without contents": (bubble({"type": "box", "layout": "vertical"}), "/body/contents/0/contents"),
    "an empty text": (bubble(words("a"), words("")), "/body/contents/1/text"),
    "a fault far inside": (bubble(box(box(words("")))), "/body/contents/0/contents/0/contents/0/text"),
    "a button without action": (bubble({"type": "button"}), "/body/contents/0/action"),
    "a button without label": (bubble(button("")), "/body/contents/0/action/label"),
    "a label of 41": (bubble(button("a" * 41)), "/body/contents/0/action/label"),
    "an address of 1001": (bubble(button(uri="https://a.jp/".ljust(1001, "a"))), "/body/contents/0/action/uri"),
    "a script": (bubble(button(uri="javascript:alert(1)")), "/body/contents/0/action/uri"),
    "an address not encoded": (bubble(button(uri="https://a.jp/シフト")), "/body/contents/0/action/uri"),
    "no address": (bubble(button(uri="")), "/body/contents/0/action/uri"),
    "a picture by http": (bubble({"type": "image", "url": "http://a.jp/a.png"}), "/body/contents/0/url"),
    "over 30 KB": (bubble_of_size(30 * 1024 + 1), "/"),
    "13 bubbles": (carousel(*[bubble()] * 13), "/contents"),
    "no bubbles": (carousel(), "/contents"),
    "a carousel in a carousel": (carousel(carousel(bubble())), "/contents/0"),
    "over 50 KB together": (carousel(*[bubble_of_size(26_000)] * 2), "/"),
    "a fault in the second bubble": (carousel(bubble(), bubble(words(""))), "/contents/1/body/contents/0/text"),
}


@pytest.mark.parametrize(("contents", "name"), INSIDE.values(), ids=INSIDE.keys())
def test_faulty_contents_are_refused_by_their_path(line: Line, contents: dict[str, Any], name: str) -> None:
    answer = line.push(text("fine"), flex(contents))
    assert answer.status_code == 400
    assert answer.json()["message"] == "A message (messages[1]) in the request body is invalid"
    assert [detail["property"] for detail in answer.json()["details"]] == [name]
    assert line.used() == 0


def test_all_faults_of_a_message_are_told_at_once() -> None:
    faults = faults_of(flex(bubble(words(""), button(""))), "messages[0]")
    assert [fault.property for fault in faults.inside] == ["/body/contents/0/text", "/body/contents/1/action/label"]
