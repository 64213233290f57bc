"""One call as the page shows it: its messages drawn, and a line that says what the sender was told."""

import json
from dataclasses import dataclass

from app.sandbox.answers import ANSWERS, ORDINARY
from app.sandbox.calls import Call
from app.sandbox.drawing import Drawn, draw

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
class Entry:
    """A call, `drawn` when its messages arrived, with a `line` when the sender was told anything but 200."""

    call: Call
    to_word: str
    drawn: tuple[Drawn, ...]
    line: Line | None
    json: str


def entry(call: Call) -> Entry:
    """How this call is shown."""
    arrived = call.fate == "accepted"
    return Entry(
        call=call,
        to_word=_SORTS.get((call.recipient or "")[:1], ""),
        drawn=tuple(draw(message) for message in call.messages) if arrived else (),
        line=None if arrived and call.status == 200 else _line(call),
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
