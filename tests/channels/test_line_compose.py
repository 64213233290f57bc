"""What a LINE message may hold, and the bytes that it becomes."""

import json
from typing import Any

import pytest

from app.channels.line import LineChannel
from app.channels.line.flex import FlexMessage, box, bubble, button, separator, text
from app.channels.line.limits import cut, percent_encoded, utf16_length
from app.channels.messages import InvalidMessage

USER = "U" + "0123456789abcdef" * 2
channel = LineChannel("http://127.0.0.1", "token")


def compose(alt_text: str = "Shift", *parts: dict[str, Any]) -> bytes:
    return channel.compose(USER, FlexMessage(alt_text, bubble(box(*parts or (text("Shift"),)))))


def test_a_composed_request_is_compact_utf_8_and_always_the_same() -> None:
    request = compose("シフト 18:00", text("新宿教室", size="xl"), separator(), button("見る", "https://a.jp/シフト"))

    assert request == compose(
        "シフト 18:00", text("新宿教室", size="xl"), separator(), button("見る", "https://a.jp/シフト")
    )
    assert request.startswith(
        '{"to":"U0123456789abcdef0123456789abcdef","messages":[{"type":"flex","altText":"シフト 18:00",'.encode()
    )
    assert channel.target_of(request) == USER
    assert json.loads(request)["messages"][0]["contents"]["body"]["contents"][0]["text"] == "新宿教室"


@pytest.mark.parametrize(
    ("alt_text", "parts"),
    [
        ("あ" * 400, ()),
        ("😀" * 200, ()),
        ("a", (text("a" * 5000),)),
        ("a", (button("あ" * 40, "https://a.jp"),)),
        ("a", (button("a", "https://a.jp/" + "a" * 987),)),
        ("a", (button("a", "tel:09012345678"),)),
        ("a", (button("a", "line://nv/chat"),)),
        ("a", (button("a", "http://a.jp/?q=%E3%81%82&x=[1]#top"),)),
    ],
)
def test_what_is_just_within_the_limits_is_composed(alt_text: str, parts: tuple[dict[str, Any], ...]) -> None:
    assert compose(alt_text, *parts)


@pytest.mark.parametrize(
    ("alt_text", "parts", "name"),
    [
        ("", (), "altText"),
        (" ", (), "altText"),
        ("あ" * 401, (), "altText"),
        ("😀" * 201, (), "altText"),
        ("a", (text(""),), "contents.body.contents[0].text"),
        ("a", (separator(), text("a" * 5001)), "contents.body.contents[1].text"),
        ("a", (text("秘密😀" * 1300),), "contents.body.contents[0].text"),
        ("a", (button("", "https://a.jp"),), "contents.body.contents[0].action.label"),
        ("a", (button("あ" * 41, "https://a.jp"),), "contents.body.contents[0].action.label"),
        ("a", (button("a", ""),), "contents.body.contents[0].action.uri"),
        ("a", (button("a", "https://a.jp/" + "a" * 988),), "contents.body.contents[0].action.uri"),
        ("a", (button("a", "https://a.jp/" + "あ" * 110),), "contents.body.contents[0].action.uri"),
        ("a", (button("a", "javascript:alert(1)"),), "contents.body.contents[0].action.uri"),
        ("a", (button("a", "/deliveries/1"),), "contents.body.contents[0].action.uri"),
        ("a", (button("a", "https:///path"),), "contents.body.contents[0].action.uri"),
        ("a", (button("a", "https://[::1"),), "contents.body.contents[0].action.uri"),
        ("a", ({"type": "uri", "uri": "https://a.jp/あ"},), "contents.body.contents[0].uri"),
        ("a", ({"type": "uri", "uri": "https://a.jp/ b"},), "contents.body.contents[0].uri"),
        ("a", tuple(text("a" * 4000) for _ in range(8)), "contents"),
        ("a", (text("single \ud800"),), "messages[0]"),
        ("single \ud800", (), "messages[0]"),
    ],
)
def test_what_line_would_refuse_is_named_but_not_quoted(
    alt_text: str, parts: tuple[dict[str, Any], ...], name: str
) -> None:
    with pytest.raises(InvalidMessage) as caught:
        compose(alt_text, *parts)

    assert str(caught.value).startswith(f"{name}: ")
    assert not [word for word in ("秘密", "a.jp", "single", "javascript", "aaaa") if word in str(caught.value)]


def test_only_a_bubble_is_a_flex_message() -> None:
    with pytest.raises(InvalidMessage, match="contents: must be a bubble"):
        channel.compose(USER, FlexMessage("a", {"type": "carousel", "contents": []}))
    with pytest.raises(TypeError, match="not str"):
        channel.compose(USER, "a message of another channel")


def test_lengths_are_counted_in_utf_16_units() -> None:
    assert [utf16_length(words) for words in ("", "aあ", "😀", "👨‍👩‍👧")] == [0, 2, 2, 8]


@pytest.mark.parametrize(
    ("words", "units", "expected"),
    [("short", 5, "short"), ("longer", 5, "long…"), ("あいう", 2, "あ…"), ("a😀😀", 4, "a😀…"), ("a😀😀", 3, "a…")],
)
def test_a_cut_text_ends_on_a_whole_character(words: str, units: int, expected: str) -> None:
    assert cut(words, units) == expected
    assert utf16_length(cut(words, units)) <= units


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://a.jp/シ?q=ん#あ", "https://a.jp/%E3%82%B7?q=%E3%82%93#%E3%81%82"),
        ("https://a.jp/%E3%82%B7", "https://a.jp/%E3%82%B7"),
        ("https://a.jp/100%", "https://a.jp/100%25"),
        ('https://a.jp/a b"<>\\^`{|}', "https://a.jp/a%20b%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("https://a.jp:8000/a?b=c&d=e;f#g", "https://a.jp:8000/a?b=c&d=e;f#g"),
    ],
)
def test_a_uri_is_percent_encoded_once(uri: str, expected: str) -> None:
    assert percent_encoded(uri) == expected
    assert percent_encoded(percent_encoded(uri)) == expected
