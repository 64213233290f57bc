"""Flex messages as values to draw; whatever passed the checks can be drawn."""

import string
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from app.sandbox.drawing import Piece, colour_sheet, colours_of, draw
from app.sandbox.messages import faults_of
from tests.sandbox.samples import box, bubble, button, flex, reminder, words


def body(*contents: dict[str, Any]) -> tuple[Piece, ...]:
    """The drawn contents of a bubble's body."""
    [block] = draw(flex(bubble(*contents))).bubbles[0].blocks
    return block.pieces[0].pieces


def test_a_reminder_is_drawn_block_by_block() -> None:
    drawn = draw(reminder())
    [one] = drawn.bubbles
    assert drawn.text.startswith("【2時間後】")
    assert [block.classes for block in one.blocks] == ["block header paper-f3f1ec", "block body", "block footer ruled"]
    assert one.blocks[0].pieces[0].pieces[0] == Piece("text", "text-lg ink-27408b bold wrap", "まもなく授業です")


@pytest.mark.parametrize(
    ("given_size", "drawn"),
    [("xxl", "xxl"), ("20px", "lg"), ("500px", "5xl"), ("huge", "md"), (7, "md"), (None, "md"), ("-3px", "md")],
)
def test_a_size_becomes_the_nearest_named_one(given_size: object, drawn: str) -> None:
    [piece] = body(words("a", size=given_size))
    assert piece.classes == f"text-{drawn}"


def test_a_button_opens_its_address_and_an_act_without_one_opens_nothing() -> None:
    act = {"type": "button", "action": {"type": "postback", "label": "了解", "uri": "javascript:alert(1)"}}
    opens, postback = body(button(uri="https://a.jp/"), act)
    assert (opens.href, postback.href) == ("https://a.jp/", "")


def test_colours_are_collected_and_only_colours_become_rules() -> None:
    messages = [flex(bubble(words("a", color="#27408B"), box(backgroundColor="#ffffff80"), words("b", color="red")))]
    assert colours_of(messages) == ["27408b", "ffffff80"]
    assert colour_sheet(["27408b"]) == (
        ".bubble .ink-27408b{color:#27408b}\n.bubble .paper-27408b{background-color:#27408b}\n"
        ".bubble .edge-27408b{border-color:#27408b}\n"
    )
    assert colour_sheet(["red", "", "27408b}body{display:none", "12345"]) == ""


def test_a_message_that_is_not_drawn_is_named() -> None:
    assert draw({"type": "sticker", "packageId": "1"}).kind == "sticker"


COMPONENTS = ("box", "text", "span", "button", "image", "icon", "video", "separator", "filler")
PROPERTIES = (
    "flex", "margin", "gravity", "size", "color", "weight", "wrap", "decoration", "align", "contents", "layout",
    "spacing", "paddingAll", "cornerRadius", "backgroundColor", "borderWidth", "borderColor", "justifyContent",
    "alignItems", "style", "height", "action", "url",
)  # fmt: skip

printable = some.text(string.printable, max_size=5)
anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | printable,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(printable, inner, max_size=3),
    max_leaves=4,
)
properties = some.dictionaries(some.sampled_from(PROPERTIES), anything)

# A busy machine draws its first examples slowly.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@unhurried
@given(properties, some.sampled_from(COMPONENTS))
def test_whatever_passes_the_checks_can_be_drawn(odd: dict[str, Any], kind: str) -> None:
    component = {"type": kind, "text": "a", "layout": "vertical", "contents": [], **odd}
    message = flex(bubble(component, button()))
    faults = faults_of(message, "messages[0]")
    if not faults.plain and not faults.inside:
        assert draw(message).bubbles


@unhurried
@given(anything, some.sampled_from(["size", "styles", "action", "hero"]))
def test_a_bubble_with_odd_properties_is_refused_or_drawn(odd: object, name: str) -> None:
    message = flex({**bubble(), name: odd})
    faults = faults_of(message, "messages[0]")
    assert faults.inside or draw(message).bubbles
