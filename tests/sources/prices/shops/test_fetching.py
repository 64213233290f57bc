"""What a shop's answers mean, and by what rules it is asked."""

import gzip
from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.bounds import Reach
from app.clock import now
from app.sources.prices.shops.fetching import LARGEST, Document, get
from app.sources.prices.shops.offer import FetchFailed, Gone, Trouble, Why
from app.sources.prices.shops.pace import EVERY, PACE, host_of
from tests.fakes.line_answers import CUT, DRIP_BODY, TIMEOUT, Answer, reply
from tests.fakes.shop import FakeShop, page
from tests.fixtures.background import later

BOUND = timedelta(seconds=1.5)
HTML = {"content_type": "text/html"}


@pytest.fixture
def other() -> Iterator[FakeShop]:
    with FakeShop() as fake:
        yield fake


def ask(url: str, reach: Reach = Reach.PUBLIC_OR_LOOPBACK) -> Document | Gone | FetchFailed:
    return get(url, "text/html", BOUND, reach)


@pytest.mark.parametrize(
    ("answer", "kind", "why", "after"),
    [
        (reply(429, retry_after="90"), Trouble.RATE_LIMITED, None, 90),
        (reply(429), Trouble.RATE_LIMITED, None, None),
        (reply(503, retry_after="90"), Trouble.UNREACHABLE, None, 90),
        (reply(500), Trouble.UNREACHABLE, None, None),
        (CUT, Trouble.UNREACHABLE, None, None),
        (TIMEOUT, Trouble.UNREACHABLE, None, None),
        (DRIP_BODY, Trouble.UNREACHABLE, None, None),
        (reply(403), Trouble.UNREADABLE, Why.REFUSED, None),
        (reply(204, b""), Trouble.UNREADABLE, Why.NO_PRODUCT, None),
        (reply(200, b"x" * (LARGEST + 1)), Trouble.UNREADABLE, Why.TOO_LARGE, None),
        (reply(200, gzip.compress(b"x" * (LARGEST + 1)), content_encoding="gzip"), Trouble.UNREADABLE, Why.TOO_LARGE,
         None),
        (reply(200, b"no gzip", content_encoding="gzip"), Trouble.UNREADABLE, Why.NO_PRODUCT, None),
        (reply(302, location="http://10.0.0.1/"), Trouble.UNREADABLE, Why.INSIDE, None),
        (reply(302, location="http://[::ffff:10.0.0.1]/"), Trouble.UNREADABLE, Why.INSIDE, None),
        (reply(302, location="http://169.254.169.254/latest"), Trouble.UNREADABLE, Why.INSIDE, None),
        (reply(302, location="file:///etc/passwd"), Trouble.UNREADABLE, Why.LEADS_AWAY, None),
        (reply(302, location="http://u:p@shop.example/"), Trouble.UNREADABLE, Why.LEADS_AWAY, None),
    ],
)  # fmt: skip
def test_what_an_answer_means(
    shop: FakeShop, answer: Answer, kind: Trouble, why: Why | None, after: int | None
) -> None:
    found = ask(shop.answers("kettle", answer))
    assert found == FetchFailed(kind, timedelta(seconds=after) if after else None, why)


def test_a_page_comes_packed_or_not_and_one_that_is_gone_is_gone(shop: FakeShop) -> None:
    body = page("kettle", "1980")
    packed = shop.answers("packed", reply(200, gzip.compress(body), content_encoding="gzip"))
    plain = shop.answers("plain", reply(200, body))
    for url in (packed, plain):
        found = ask(url)
        assert isinstance(found, Document)
        assert found.body == body
    assert isinstance(ask(f"{shop.url}/gone"), Gone)


def test_this_machine_is_not_contacted_where_only_the_internet_is_open(shop: FakeShop) -> None:
    for url in (f"{shop.url}/kettle", shop.url.replace("127.0.0.1", "localhost")):
        found = ask(url, Reach.PUBLIC)
        assert isinstance(found, FetchFailed)
        assert found.why is Why.INSIDE
    assert shop.connections == 0


def test_three_redirects_are_followed_and_no_fourth(shop: FakeShop) -> None:
    shop.answers("last", reply(200, b"here"))
    for name, to in (("three", "two"), ("two", "one"), ("one", "last"), ("four", "three")):
        shop.answers(name, reply(302, location=f"/{to}"))
    found = ask(f"{shop.url}/three")
    assert isinstance(found, Document)
    assert found.body == b"here"
    with later(seconds=3):
        far = ask(f"{shop.url}/four")
    assert isinstance(far, FetchFailed)
    assert far.why is Why.LEADS_AWAY
    assert shop.asked_for(f"{shop.url}/last") == 1


def test_robots_txt_is_obeyed_also_behind_a_redirect_and_asked_for_once_a_day(shop: FakeShop) -> None:
    shop.robots = b"User-agent: *\nDisallow: /private\n"
    closed = shop.answers("private", reply(200, b"secret"))
    opened = shop.answers("open", reply(302, location="/private"))
    assert ask(closed) == FetchFailed(Trouble.UNREADABLE, why=Why.NOT_ALLOWED)
    assert ask(opened) == FetchFailed(Trouble.UNREADABLE, why=Why.LEADS_AWAY)
    assert shop.asked_for(closed) == 0
    shop.robots = b""
    with later(days=2):
        assert isinstance(ask(closed), Document)


def test_the_robots_txt_of_where_a_redirect_leads_is_obeyed(shop: FakeShop, other: FakeShop) -> None:
    other.robots = b"User-agent: *\nDisallow: /\n"
    there = other.answers("kettle", reply(200, b"secret"))
    assert ask(shop.answers("kettle", reply(302, location=there))) == FetchFailed(
        Trouble.UNREADABLE, why=Why.LEADS_AWAY
    )
    assert other.asked_for(there) == 0


def test_a_redirect_waits_for_the_turn_of_the_host_where_it_leads(shop: FakeShop, other: FakeShop) -> None:
    there = other.answers("kettle", reply(200, b"here"))
    here = shop.answers("kettle", reply(302, location=there))
    PACE.rest(host_of(there), timedelta(seconds=60))
    found = ask(here)
    assert isinstance(found, FetchFailed)
    assert found.kind is Trouble.NOT_ASKED
    assert found.after is not None
    assert timedelta(seconds=50) < found.after <= timedelta(seconds=60)
    assert (shop.asked_for(here), other.asked_for(there)) == (1, 0)
    with later(seconds=61):
        assert isinstance(ask(here), Document)
        began = now()
        assert isinstance(ask(there), Document)
        assert now() - began > EVERY / 2, "the redirect had taken a turn there"


def test_trouble_behind_a_redirect_gives_rest_to_the_host_that_has_it(shop: FakeShop, other: FakeShop) -> None:
    there = other.answers("kettle", reply(503))
    here = shop.answers("kettle", reply(302, location=there))
    assert ask(here) == FetchFailed(Trouble.UNREACHABLE)
    assert isinstance(ask(shop.answers("pan", reply(200, b"pan"))), Document)
    found = ask(there)
    assert isinstance(found, FetchFailed)
    assert found.kind is Trouble.NOT_ASKED


def test_nobody_waits_for_a_turn_for_longer_than_there_is_time(shop: FakeShop) -> None:
    url = shop.answers("kettle", reply(200, b"x"))
    ask(url)
    found = get(url, "text/html", timedelta(seconds=0.2), Reach.PUBLIC_OR_LOOPBACK)
    assert isinstance(found, FetchFailed)
    assert found.kind is Trouble.NOT_ASKED


def test_a_host_that_names_a_delay_between_two_pages_gets_it(shop: FakeShop) -> None:
    shop.robots = b"User-agent: *\nCrawl-delay: 30\n"
    url = shop.answers("kettle", reply(200, b"x"))
    assert isinstance(ask(url), Document)
    found = ask(url)
    assert isinstance(found, FetchFailed)
    assert found.kind is Trouble.NOT_ASKED
    assert found.after is not None
    assert timedelta(seconds=20) < found.after <= timedelta(seconds=30)


def test_our_own_rules_go_before_those_for_all(shop: FakeShop) -> None:
    shop.robots = b"User-agent: *\nAllow: /\n\nUser-agent: todoke\nDisallow: /\n"
    found = ask(shop.answers("kettle", reply(200, b"x")))
    assert isinstance(found, FetchFailed)
    assert found.why is Why.NOT_ALLOWED


def test_a_host_that_asked_for_rest_is_not_asked_meanwhile(shop: FakeShop) -> None:
    url = shop.answers("kettle", reply(429, retry_after="60"))
    ask(url)
    found = ask(url)
    assert isinstance(found, FetchFailed)
    assert found.kind is Trouble.NOT_ASKED
    assert found.after is not None
    assert timedelta(seconds=50) < found.after <= timedelta(seconds=60)
    assert shop.asked_for(url) == 1
