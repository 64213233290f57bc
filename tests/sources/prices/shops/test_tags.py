"""Which pages are parsed at all: what would hold the parser is refused in no time, what shops write is not."""

from time import process_time

import pytest

from app.sources.prices.shops.tags import MOST_ATTRIBUTES, MOST_TAGS, is_too_much

LARGEST = 2_000_000
BOUND = 1.0
"""Seconds of processor time; the slowest of these takes a tenth."""

MANY = range(60_000)


def attributes(number: int, between: str = " ") -> str:
    return between.join(f"a{one}" for one in range(number))


@pytest.mark.parametrize(
    "page",
    [
        f"<a {attributes(MOST_ATTRIBUTES + 1)}>",
        f"</a {attributes(MOST_ATTRIBUTES + 1)}>",
        f"<a/{attributes(MOST_ATTRIBUTES + 1, '/')}>",
        "<a " + " ".join(f'a{one}=">"' for one in MANY) + ">",
        "<a " + " ".join(f'a{one}="><b c=d "' for one in MANY) + ">",
        "<a " + " ".join(f"a{one}='><b c=\"d'" for one in MANY) + ">",
        "<a " + " ".join(f"<b{one}" for one in MANY) + ">",
        "<a " + " ".join(f"=b{one}" for one in MANY) + ">",
        f'<script><a b="</script><a {attributes(60_000)} ">',
        f"<!-- <a b='--><a {attributes(60_000)} '>",
        "<a x=\"<a x='" * (LARGEST // 12),
        '<a x="' * (LARGEST // 6),
        "<a" * (LARGEST // 2),
        "<div>" * (MOST_TAGS + 1),
    ],
    ids=lambda page: page[:24],
)
def test_what_would_hold_the_parser_is_not_given_to_it(page: str) -> None:
    began = process_time()
    assert is_too_much(page)
    assert process_time() - began < BOUND


@pytest.mark.parametrize(
    "page",
    [
        f"<a {attributes(MOST_ATTRIBUTES)}>",
        "<div><p>kettle</p></div>" * (MOST_TAGS // 2),
        "<" * LARGEST,
        "<script>for (i=0;i<n;i++) { if (a<b && c == 'x') { go(i) } }</script>" * 1000,
        "<div data-html=\"<p class='x'>kettle</p>\">" * 1000,
    ],
    ids=lambda page: page[:24],
)
def test_what_shops_write_is(page: str) -> None:
    began = process_time()
    assert not is_too_much(page)
    assert process_time() - began < BOUND
