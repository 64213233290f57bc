"""Promise: a shopper is told that something became cheap only while it still is, and told it once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from flask import Flask

from app.audit import Actor
from app.clock import monotonic, now
from app.codes import CancelReason
from app.inbox.models import Notification
from app.operations.deletion import delete_account
from app.operations.deliveries import retry
from app.outbox import gates, queries, transitions
from app.reach.preferences import LINE
from app.sources.prices import watch as verbs
from app.sources.prices.detect import look as look_by
from app.sources.prices.listing import watch_of
from app.sources.prices.models import Adapter, Finding, Trigger, Watch
from app.sources.prices.shops.offer import FetchFailed, ShopItem, Trouble
from app.sources.prices.shops.registry import shops
from app.sources.prices.watch import pause, remove, resume
from app.sources.prices.wishes import Wished
from app.transaction import writing
from tests.bare_app import beside
from tests.factories import all_deliveries, make_tutor, only_delivery
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_TIMEOUT, CUT, HOLD, RATE_LIMITED, reply
from tests.fakes.push import FakePush
from tests.fakes.shop import FakeShop
from tests.fixtures.background import Background, later, until
from tests.inbox.browsers import KEY, register
from tests.inbox.inboxes import chosen, quiet
from tests.inbox.inboxes import said as inbox
from tests.sources.prices.town import ends, item_now, look, number_of, said, shopper, watch_now, watching

ADMIN = Actor(None, "the operator")
WELL_AGAIN = "“kettle” could not be read for a while"
TURN = 3
"""Seconds after which the shop's next turn has come."""


def texts(line: FakeLine) -> list[str]:
    """What arrived on LINE, as the list of chats shows it."""
    return [one.messages[0]["altText"] for one in line.accepted]


def drops(shop: FakeShop, name: str = "kettle", price: str = "1400") -> None:
    """The shop has it for less, and detection sees it."""
    shop.sells(name, price)
    with later(seconds=TURN):
        assert look()["owed"] == 1


def test_who_waits_is_told_with_the_price_just_read_and_it_is_kept(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    watch = watching(account, shop.sells("kettle", "1980"))
    drops(shop)
    assert inbox(account) == [], "the inbox is filled when it was sent"
    with later(seconds=2 * TURN):
        background.run()
        at = now()
    assert ends() == [("sent", None)]
    assert texts(line) == ["￥1,400：kettle"]
    told = watch_now(watch)
    assert told.last_notified_price == Decimal(1400)
    assert told.last_notified_at is not None
    assert at - told.last_notified_at < timedelta(minutes=1)
    assert said() == [Decimal(1400)]
    assert [title for title, _body in inbox(account)] == ["¥1,400: kettle"]


def test_a_drop_that_was_over_before_sending_is_not_told_and_the_next_one_on_another_day_is(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    watch = watching(account, shop.sells("kettle", "1980"))
    drops(shop)
    shop.sells("kettle", "1980")
    with later(seconds=2 * TURN):
        background.run()
        assert ends() == [("canceled", "condition_lost")]
        assert "¥1,980" in (only_delivery().cancel_detail or "").replace("￥", "¥"), "what it cost instead is kept"
        assert (watch_now(watch).last_notified_price, inbox(account), line.requests) == (None, [], [])
        with later(days=1):
            drops(shop, price="1300")
            with later(seconds=2 * TURN):
                background.run()
    assert ends() == [("canceled", "condition_lost"), ("sent", None)]
    assert watch_now(watch).last_notified_price == Decimal(1300)


def test_what_is_sold_out_by_then_is_not_told(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    watching(shopper(), shop.sells("kettle", "1980"))
    drops(shop)
    shop.sells("kettle", "1400", stock="OutOfStock")
    with later(seconds=2 * TURN):
        background.run()
    assert ends() == [("canceled", "out_of_stock")]
    assert line.requests == []


def test_what_is_paused_or_removed_by_then_is_not_told_and_the_shop_is_not_asked(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    owners = [shopper(), shopper()]
    paused, removed = (watching(one, shop.sells("kettle", "1980")) for one in owners)
    shop.sells("kettle", "1400")
    with later(seconds=TURN):
        assert look()["owed"] == 2
    asked = len(shop.requests)
    with writing() as tx:
        assert pause(tx, owners[0], paused)
        remove(tx, owners[1], removed)
    with later(seconds=2 * TURN):
        background.run()
    assert sorted(ends()) == [("canceled", "listing_paused"), ("canceled", "watch_removed")]
    assert (len(shop.requests), line.requests) == (asked, [])


def test_lower_still_at_sending_the_text_has_the_newest_price(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    watch = watching(shopper(language="en"), shop.sells("kettle", "1980"))
    drops(shop)
    shop.sells("kettle", "1250")
    with later(seconds=2 * TURN):
        background.run()
    (message,) = line.accepted
    assert (said(), texts(line)) == ([Decimal(1250)], ["¥1,250: kettle"])
    assert "you wished for ¥1,500 or less" in message.body.decode()
    assert watch_now(watch).last_notified_price == Decimal(1250)


def test_a_shop_that_wants_to_be_left_alone_is_asked_again_as_late_as_it_wishes(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    url = shop.sells("kettle", "1980")
    watching(shopper(), url)
    drops(shop)
    shop.script_for(url, reply(429, retry_after="600"))
    with later(seconds=2 * TURN):
        background.run()
        waiting = only_delivery()
        assert (waiting.state, waiting.reason) == ("retry", "REFETCH_RATE_LIMITED")
        assert waiting.next_attempt_at is not None
        assert timedelta(minutes=10) <= waiting.next_attempt_at - now() + timedelta(seconds=30)
        with later(minutes=12):
            background.run()
    assert ends() == [("sent", None)]
    assert [one.outcome for one in queries.timeline(waiting.id)] == ["unanswered", "accepted"]


def test_a_shop_that_never_answers_is_asked_nine_times_with_waits_from_half_a_minute_to_half_an_hour(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    url = shop.sells("kettle", "1980")
    watching(shopper(), url)
    drops(shop)
    shop.script_for(url, *[CUT] * 9)
    waits: list[float] = []
    with time_machine.travel(now() + timedelta(seconds=2 * TURN), tick=True) as traveller:
        for _ in range(9):
            background.run()
            delivery = only_delivery()
            if delivery.next_attempt_at is not None:
                waits.append((delivery.next_attempt_at - now()).total_seconds())
                traveller.move_to(delivery.next_attempt_at + timedelta(seconds=1))
    expected = [30, 60, 120, 240, 480, 960, 1800, 1800]
    assert len(waits) == len(expected)
    assert all(usual - 15 < wait <= usual * 1.1 for wait, usual in zip(waits, expected, strict=True)), waits
    failed = only_delivery()
    assert (failed.state, failed.failure_code, failed.dead_letter, failed.attempts) == (
        "failed", "REFETCH_UNREACHABLE", True, 9,
    )  # fmt: skip
    assert line.requests == []


def test_two_detections_at_once_make_one(
    app: Flask, line: FakeLine, shop: FakeShop, caplog: pytest.LogCaptureFixture
) -> None:
    url = shop.sells("kettle", "1980")
    watching(shopper(), url)
    shop.sells("kettle", "1400")
    shop.script_for(url, HOLD, HOLD)
    with later(seconds=TURN):
        soon, known = monotonic() + 0.5, shops(app.config["SETTINGS"])
        with beside(app, lambda: look_by(known, soon)):
            assert shop.holding.wait(20)
            until(lambda: monotonic() > soon + 0.5, "the first takes nothing any more")
            with beside(app, look):
                until(lambda: shop.held == 2, "both look at it at once")
                shop.release()
        with later(seconds=TURN):
            look()
    assert (len(all_deliveries()), number_of(Finding)) == (1, 1)
    assert "could not be stored" not in caplog.text


def test_a_stock_that_comes_and_goes_is_told_once_a_day_at_each_address(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop, push: FakePush
) -> None:
    account = shopper()
    device = push.subscribe(KEY)
    register(account, device)
    watching(account, shop.sells("kettle", None, stock="OutOfStock"), "back_in_stock")
    with time_machine.travel(datetime.fromisoformat("2027-02-01T09:00:00+09:00"), tick=True) as traveller:
        for minutes in range(10, 60, 10):
            shop.sells("kettle", "1980", stock=("OutOfStock", "InStock")[minutes // 10 % 2])
            traveller.move_to(datetime.fromisoformat("2027-02-01T09:00:00+09:00") + timedelta(minutes=minutes))
            look()
            traveller.shift(TURN)
            background.run()
    assert ends() == [("sent", None)] * 2
    assert (len(line.accepted), len(push.arrived(device)), number_of(Notification)) == (1, 1, 1)


def test_a_price_that_stays_low_for_days_is_told_once(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    watching(shopper(), shop.sells("kettle", "1980"))
    shop.sells("kettle", "1400")
    with time_machine.travel(now() + timedelta(seconds=TURN), tick=True) as traveller:
        for _day in range(4):
            look()
            traveller.shift(TURN)
            background.run()
            traveller.shift(timedelta(days=1))
        assert len(line.accepted) == 1
        shop.sells("kettle", "1399")
        look()
        traveller.shift(TURN)
        background.run()
    assert texts(line) == ["￥1,400：kettle", "￥1,399：kettle"], "further down is news"


def test_a_price_that_was_up_in_between_is_news_again(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    watching(shopper(), shop.sells("kettle", "1980"))
    with time_machine.travel(now() + timedelta(seconds=TURN), tick=True) as traveller:
        for price in ("1400", "1980", "1400"):
            shop.sells("kettle", price)
            look()
            traveller.shift(TURN)
            background.run()
            traveller.shift(timedelta(days=1))
    assert texts(line) == ["￥1,400：kettle"] * 2


def test_what_a_look_saw_while_the_message_was_on_its_way_is_not_forgotten(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    watch = watching(shopper(), shop.sells("kettle", "1980"))
    drops(shop)
    line.script(HOLD)
    with later(seconds=2 * TURN), background.sending("price_drop", only_delivery().id):
        assert line.holding.wait(20)
        shop.sells("kettle", "1980")
        with later(seconds=TURN):
            look()
        line.release()
    told = watch_now(watch)
    assert told.last_notified_price == Decimal(1400)
    assert told.false_since is not None, "the next drop to the same price is news"


def test_an_account_that_is_deleted_watches_nothing_and_is_told_nothing(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    watching(account, shop.sells("kettle", "1980"))
    drops(shop)
    with writing() as tx:
        delete_account(tx, ADMIN, account)
    assert number_of(Watch) == number_of(Finding) == 0
    with later(seconds=2 * TURN):
        look()
        background.run()
    assert ends() == [("canceled", "recipient_disabled")]
    assert (line.requests, item_now().next_look_at) == ([], None)


def test_a_second_address_is_told_though_the_first_was_told_already(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop, push: FakePush
) -> None:
    account = shopper()
    device = push.subscribe(KEY)
    register(account, device)
    watching(account, shop.sells("kettle", "1980"))
    shop.sells("kettle", "1400")
    with later(seconds=TURN):
        assert look()["owed"] == 2
        push.script(reply(500))
        with later(seconds=TURN):
            background.run()
            assert len(line.accepted) == 1
            with later(minutes=2):
                background.run()
    (arrived,) = push.arrived(device)
    assert arrived["title"] == "￥1,400：kettle"
    assert arrived["path"].startswith("/watches/")
    assert ends() == [("sent", None)] * 2
    assert number_of(Notification) == 1


def test_an_address_that_cannot_be_reached_holds_up_no_other(
    app: Flask, background: Background, line: FakeLine, push: FakePush, shop: FakeShop
) -> None:
    account = shopper()
    watching(account, shop.sells("kettle", "1980"))
    device = push.subscribe(KEY)
    register(account, device, language="en")
    with time_machine.travel(datetime.fromisoformat("2027-02-01T22:00:00+09:00"), tick=True) as traveller:
        shop.sells("kettle", "1400")
        traveller.shift(TURN)
        look()
        gate = next(one.gate_key for one in all_deliveries() if one.channel == "web_push")
        with writing() as tx:
            gates.pause(tx, gate, "")
        traveller.shift(TURN)
        background.run()
        assert texts(line) == ["￥1,400：kettle"]
        traveller.shift(timedelta(hours=10))
        shop.sells("kettle", "1300")
        look()
        traveller.shift(TURN)
        background.run()
        assert texts(line) == ["￥1,400：kettle", "￥1,300：kettle"]
        with writing() as tx:
            gates.resume(tx, gate)
        background.recover()
        traveller.shift(TURN)
        background.run()
    assert [one["title"] for one in push.arrived(device)] == ["¥1,300: kettle"]


def test_what_waited_over_midnight_for_quiet_hours_to_end_is_told_once(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    watching(account, shop.sells("kettle", "1980"))
    quiet(account, 22 * 60, 7 * 60)
    shop.sells("kettle", "1400")
    for at in ("2027-02-01T23:50", "2027-02-02T00:10", "2027-02-02T07:01"):
        with time_machine.travel(datetime.fromisoformat(f"{at}:00+09:00"), tick=True) as traveller:
            look()
            traveller.shift(TURN)
            background.run()
    assert (ends(), len(line.accepted)) == ([("sent", None)], 1)


def test_what_was_told_by_a_later_delivery_is_not_told_again_when_an_operator_retries_the_earlier(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    with time_machine.travel(datetime.fromisoformat("2027-02-01T12:00:00+09:00"), tick=True) as traveller:
        watching(shopper(), shop.sells("kettle", "1980"))
        drops(shop)
        line.script(RATE_LIMITED)
        traveller.shift(2 * TURN)
        background.run()
        failed = only_delivery()
        traveller.shift(timedelta(hours=20))
        look()
        traveller.shift(TURN)
        background.run()
        assert [state for state, _reason in ends()] == ["failed", "sent"]
        with writing() as tx:
            retry(tx, ADMIN, failed.id, confirmed=True, seen_attempts=None)
        traveller.shift(TURN)
        background.run()
    assert ends()[0] == ("canceled", "condition_lost")
    assert len(line.accepted) == 1


def test_the_day_is_that_of_the_zone(app: Flask, line: FakeLine, shop: FakeShop) -> None:
    """08:59 and 09:01 in Tokyo are two days in UTC and one there; 23:59 and 00:01 are two."""
    watching(shopper(), shop.sells("kettle", "1980"))
    shop.sells("kettle", "1400")
    days = []
    for at in ("2027-02-01T08:59", "2027-02-01T09:01", "2027-02-01T23:59", "2027-02-02T00:01"):
        with time_machine.travel(datetime.fromisoformat(f"{at}:00+09:00"), tick=True):
            look()
            with writing() as tx:
                transitions.cancel(tx, [one.id for one in all_deliveries()], CancelReason.BY_OPERATOR)
        days.append(number_of(Finding))
    assert days == [1, 1, 1, 2]


def test_line_may_have_it_then_the_same_bytes_go_again_though_the_price_has_changed(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    watch = watching(account, shop.sells("kettle", "1980"))
    drops(shop)
    line.script(ACCEPT_THEN_TIMEOUT)
    with later(seconds=2 * TURN):
        background.run()
        shop.sells("kettle", "1200")
        with later(minutes=2):
            background.run()
    first, second = line.requests
    assert (first.body, first.retry_key) == (second.body, second.retry_key)
    assert (ends(), len(line.accepted)) == ([("sent", None)], 1)
    told = watch_now(watch)
    assert (said(), told.last_notified_price) == ([Decimal(1400)], Decimal(1400)), "what those bytes said"
    assert [title for title, _body in inbox(account)] == ["¥1,400: kettle"]


def test_line_certainly_refused_it_then_the_new_price_goes_out_with_a_new_key(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    watching(shopper(), shop.sells("kettle", "1980"))
    drops(shop)
    line.script(RATE_LIMITED)
    with later(seconds=2 * TURN):
        background.run()
        refused = only_delivery()
        assert refused.state == "failed"
        shop.sells("kettle", "1200")
        with writing() as tx:
            retry(tx, ADMIN, refused.id, confirmed=False, seen_attempts=None)
        with later(minutes=2):
            background.run()
    first, second = line.requests
    assert first.retry_key != second.retry_key
    assert texts(line) == ["￥1,200：kettle"]


def test_a_page_that_changes_its_form_is_told_of_once_a_day_at_most_and_in_the_inbox_alone(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    watching(account, shop.sells("kettle", "1980"))
    begun = datetime.fromisoformat("2027-02-01T10:00:00+09:00")
    told: list[list[str]] = []
    with time_machine.travel(begun, tick=True) as traveller:
        for hours, page in enumerate(("changed", "changed", "changed", "read", "changed", "changed")):
            traveller.move_to(begun + timedelta(hours=hours))
            shows(shop, page)
            look()
            told.append([title for title, _body in inbox(account)])
        assert item_now().unreadable_why == "no_product"
        traveller.move_to(begun + timedelta(days=1))
        shows(shop, "read")
        look()
        for hours in range(2):
            traveller.move_to(begun + timedelta(days=1, hours=1 + hours))
            shows(shop, "changed")
            look()
    assert told[0] == [], "once may be an accident"
    assert told[1] == told[2] == ["“kettle” cannot be read any more"]
    assert told[3] == [WELL_AGAIN]
    assert len(told[5]) == 1, "of the same day"
    assert number_of(Notification) == 2, "the next day is another"
    assert all_deliveries() == []


def shows(shop: FakeShop, page: str) -> None:
    """The shop has its page as it was, or another that says nothing of a price."""
    if page == "read":
        shop.sells("kettle", "1980")
    else:
        shop.shows("kettle", b"<h1>Our new shop</h1>")


def test_what_was_never_read_is_not_said_to_be_unreadable_any_more(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account, url = shopper(), shop.sells("kettle", "1980")
    shop.script_for(url, CUT)
    watching(account, url, "back_in_stock")
    shows(shop, "changed")
    with time_machine.travel(now() + timedelta(minutes=5), tick=True) as traveller:
        for _ in range(2):
            look()
            traveller.shift(timedelta(hours=1))
    ((title, _body),) = inbox(account)
    assert title.endswith("” cannot be read")


def test_a_shop_that_gives_no_answer_for_a_day_is_told_of_once(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account, url = shopper(), shop.sells("kettle", "1980")
    watch = watching(account, url)
    begun = datetime.fromisoformat("2027-02-01T10:00:00+09:00")
    told = {}
    with time_machine.travel(begun, tick=True) as traveller:
        for hours in (0, 12, 23, 25, 36, 49):
            traveller.move_to(begun + timedelta(hours=hours))
            shop.script_for(url, CUT)
            look()
            told[hours] = [title for title, _body in inbox(account)]
        stands = watch_of(account, watch)
        traveller.shift(timedelta(hours=1))
        look()
        told[50] = [title for title, _body in inbox(account)]
    silent = ["“kettle” gives no answer"]
    assert told == {0: [], 12: [], 23: [], 25: silent, 36: silent, 49: silent, 50: [WELL_AGAIN]}
    assert stands is not None
    assert stands.silent_since is not None
    assert stands.silent_since - begun < timedelta(minutes=1)
    assert all_deliveries() == []


def pauses(account: int, url: str, watch: int) -> None:
    """Pause it."""
    with writing() as tx:
        assert pause(tx, account, watch)


def wants_less(account: int, url: str, watch: int) -> None:
    """Wait for 1,200 yen."""
    silence = FetchFailed(Trouble.UNREACHABLE)
    with writing() as tx:
        wished = Wished(Trigger.BELOW_TARGET, target=Decimal(1200))
        assert verbs.watch(tx, account, ShopItem(url, Adapter.PAGE), silence, wished).id == watch


@pytest.mark.parametrize(("act", "reason"), [(pauses, "listing_paused"), (wants_less, "condition_lost")])
def test_what_its_owner_does_while_the_shop_is_asked_counts(
    app: Flask,
    background: Background,
    line: FakeLine,
    shop: FakeShop,
    act: Callable[[int, str, int], None],
    reason: str,
) -> None:
    account, url = shopper(), shop.sells("kettle", "1980")
    watch = watching(account, url)
    drops(shop)
    shop.script_for(url, HOLD)
    with later(seconds=2 * TURN), background.sending("price_drop", only_delivery().id):
        assert shop.holding.wait(20)
        act(account, url, watch)
        shop.release()
    assert ends() == [("canceled", reason)]
    assert line.requests == []


def test_who_can_be_told_nowhere_yet_is_told_as_soon_as_they_can(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = make_tutor()
    watching(account, shop.sells("kettle", "1980"))
    shop.sells("kettle", "1400")
    with time_machine.travel(datetime.fromisoformat("2027-02-01T10:00:00+09:00"), tick=True) as traveller:
        assert look()["owed"] == 0
        chosen(account, "prices", LINE, enabled=True)
        traveller.shift(timedelta(hours=1))
        assert look()["owed"] == 1, "the day was not used up"


def test_an_old_message_stays_as_it_was_when_the_wish_is_changed(
    app: Flask, background: Background, line: FakeLine, shop: FakeShop
) -> None:
    account = shopper()
    url = shop.sells("kettle", "1980")
    watching(account, url)
    drops(shop)
    with later(seconds=2 * TURN):
        background.run()
        before = inbox(account)
        with later(seconds=TURN):
            watching(account, url, target="1000")
            assert inbox(account) == before
    assert "1,500" in before[0][1]


def test_a_watch_that_is_resumed_goes_on(app: Flask, line: FakeLine, shop: FakeShop) -> None:
    account = shopper()
    watch = watching(account, shop.sells("kettle", "1980"))
    with writing() as tx:
        pause(tx, account, watch)
    shop.sells("kettle", "1400")
    with later(seconds=TURN):
        assert look()["owed"] == 0
        assert item_now().next_look_at is None, "nobody watches it"
        with writing() as tx:
            assert resume(tx, account, watch)
        with later(seconds=TURN):
            assert look()["owed"] == 1
