"""What watches wait for, whatever the numbers are."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.sources.prices.models import Trigger
from app.sources.prices.triggers import Offer, Wish, holds, is_news

AT = datetime(2026, 11, 30, tzinfo=UTC)

prices = st.decimals(min_value=Decimal("0.01"), max_value=10**9, places=2)
offers = st.builds(Offer, prices | st.none(), st.booleans())
wishes = st.one_of(
    st.builds(Wish, st.just(Trigger.BELOW_TARGET), target=prices),
    st.builds(Wish, st.just(Trigger.PERCENT_DROP), percent=st.integers(1, 99), baseline=prices | st.none()),
    st.builds(Wish, st.just(Trigger.BACK_IN_STOCK)),
)


@given(wishes, offers)
def test_what_nobody_can_buy_is_waited_for_by_nobody(wish: Wish, offer: Offer) -> None:
    assert not holds(wish, replace(offer, in_stock=False))
    assert not holds(wish, replace(offer, price=None))


@given(wishes, prices, prices)
def test_what_holds_at_a_price_holds_at_a_lower_one(wish: Wish, one: Decimal, another: Decimal) -> None:
    lower, higher = sorted((one, another))
    assert holds(wish, Offer(lower, True)) or not holds(wish, Offer(higher, True))


@given(prices, prices)
def test_the_target_itself_is_low_enough(target: Decimal, price: Decimal) -> None:
    wish = Wish(Trigger.BELOW_TARGET, target=target)
    assert holds(wish, Offer(target, True))
    assert holds(wish, Offer(price, True)) == (price <= target)


@given(st.integers(1, 99), st.integers(1, 10**7))
def test_a_drop_of_just_so_many_percent_is_enough_and_a_cent_less_is_not(percent: int, hundreds: int) -> None:
    wish = Wish(Trigger.PERCENT_DROP, percent=percent, baseline=Decimal(hundreds * 100))
    just = Decimal(hundreds * (100 - percent))
    assert holds(wish, Offer(just, True))
    assert not holds(wish, Offer(just + Decimal("0.01"), True))


@given(wishes, prices)
def test_what_was_told_is_no_news_until_it_was_over_or_falls_further(wish: Wish, price: Decimal) -> None:
    told = replace(wish, told_price=price, told_at=AT)
    assert not is_news(told, Offer(price, True))
    assert not is_news(told, Offer(price + 1, True))
    assert is_news(replace(told, false_since=AT), Offer(price + 1, True))
    further = Offer(price - Decimal("0.01"), True)
    assert is_news(told, further) == (wish.trigger is not Trigger.BACK_IN_STOCK)


@given(wishes, offers)
def test_what_was_never_told_is_news_but_to_be_back_it_must_have_been_away(wish: Wish, offer: Offer) -> None:
    assert is_news(wish, offer) == (wish.trigger is not Trigger.BACK_IN_STOCK)
