"""How the databases go about an inbox: by an index in the order of the page, never through the whole table."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from app.inbox import queries
from app.inbox.queries import Box
from app.kinds import Reader
from app.place import Place
from benchmarks.inbox_rows import COOL, HOT, LOST, fill
from tests.fakes.inbox_kind import Greeting
from tests.plans import hearing, plan_of

QUESTIONS: dict[str, tuple[int, Callable[[Reader, Place], Any]]] = {
    "the badge": (2, lambda reader, _at: queries.unread(reader)),
    "the first page": (2, lambda reader, _at: queries.page(reader, Box.ALL, "", None, 50, "en")),
    "the first unread": (2, lambda reader, _at: queries.page(reader, Box.UNREAD, "", None, 50, "en")),
    "the archive": (1, lambda reader, _at: queries.page(reader, Box.ARCHIVED, "", None, 50, "en")),
    "a later page": (2, lambda reader, at: queries.page(reader, Box.ALL, "", at, 50, "en")),
    "a search": (1, lambda reader, _at: queries.page(reader, Box.ALL, "nobody is called so", None, 50, "en")),
    "what is new": (1, lambda reader, at: queries.newer_than(reader, Box.ALL, "", at)),
}
"""How many queries each may take, and how it is asked."""


@pytest.fixture
def asked(app: Flask, kind: Greeting) -> Iterator[list[tuple[str, Any]]]:
    """Every question to a house with many notifications, as the database hears it."""
    fill(everybody=20_000, many=2_000)
    with hearing() as heard:
        yield heard


@pytest.mark.parametrize("account", [HOT, COOL, LOST])
def test_every_question_goes_by_an_index_and_takes_a_fixed_number_of_queries(
    asked: list[tuple[str, Any]], account: int
) -> None:
    reader = Reader(account, "member")
    second = queries.page(reader, Box.ALL, "", None, 50, "en").next
    assert second is not None
    for name, (number, question) in QUESTIONS.items():
        asked.clear()
        question(reader, second)
        assert len(asked) == number, name
        for statement, values in asked:
            if "FROM notification" in statement:
                plan = plan_of(statement, values)
                assert not re.search("(SCAN|Seq Scan on) notification", plan), f"{name}:\n{plan}"
                assert "ix_notification" in plan, f"{name}:\n{plan}"
