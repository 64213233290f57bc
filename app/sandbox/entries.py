"""One call as the page shows it: its messages drawn, and a line that says what the sender was told."""

import json
from dataclasses import dataclass
from typing import Any

from app.sandbox.answers import ANSWERS, ORDINARY
from app.sandbox.calls import Call
from app.sandbox.drawing import Drawn, draw

_DELIVERED = {"line": 200, "web_push": 201}
_SORTS = {"U": "to_user", "C": "to_group", "R": "to_room"}


@dataclass(frozen=True)
class Line:
    """What became of a call that was not simply delivered. `title` and `answer_word` are words; `answer` is LINE's."""

    mark: str
    title: str
    answer: str
    answer_word: str
    on_purpose: bool


@dataclass(frozen=True)
class Shown:
    """A notification as a browser shows it. A click opens `href`; none where `path` is no page of the site."""

    title: str
    body: str
    path: str
    href: str
    tag: str
    ttl: int
    urgency: str
    topic: str


@dataclass(frozen=True)
class Entry:
    """A call, `drawn` or `notification` when it arrived, with a `line` when the sender was told anything but that."""

    call: Call
    to_word: str
    drawn: tuple[Drawn, ...]
    notification: Shown | None
    line: Line | None
    json: str


def entry(call: Call, site: str) -> Entry:
    """How this call is shown. `site` is where Todoke's pages are."""
    arrived, pushed = call.fate == "accepted", call.service == "web_push"
    return Entry(
        call=call,
        to_word="to_device" if pushed else _SORTS.get((call.recipient or "")[:1], ""),
        drawn=tuple(draw(message) for message in call.messages) if arrived and not pushed else (),
        notification=_shown(call.messages[0], site) if arrived and pushed else None,
        line=None if arrived and call.status == _DELIVERED[call.service] else _line(call),
        json=json.dumps(call.messages, ensure_ascii=False, indent=2) if call.messages else "",
    )


def _line(call: Call) -> Line:
    answer_word = "answered" if call.status else f"no_answer_{ANSWERS[call.switch or ORDINARY].end}"
    return Line(
        mark={"refused": "✕", "duplicate": "＝", "accepted": "✓"}[call.fate],
        title=f"line_{call.fate}",
        answer=f"{call.status} {call.says}".strip() if call.status else "",
        answer_word=answer_word,
        on_purpose=call.switch not in (None, ORDINARY),
    )


def _shown(message: dict[str, Any], site: str) -> Shown:
    data = message["data"]
    said = data if isinstance(data, dict) else {"title": str(data)}
    path = str(said.get("path") or "")
    inside = path.startswith("/") and not path.startswith("//")
    return Shown(
        title=str(said.get("title") or ""),
        body=str(said.get("body") or ""),
        path=path,
        href=site + path if inside else "",
        tag=str(said.get("tag") or ""),
        ttl=message["ttl"],
        urgency=message["urgency"],
        topic=message["topic"] or "",
    )
