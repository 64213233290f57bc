"""Prices as shops write them: read right, or not at all."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sources.prices.money import read_money, read_value


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("￥1,980(税込)", "JPY", "1980"),
        ("1,980円", "JPY", "1980"),
        ("１，９８０円（税込）", "JPY", "1980"),
        ("税込価格 1980 円", "JPY", "1980"),
        ("¥12,345,678-", "JPY", "12345678"),
        ("USD 12.50", "USD", "12.50"),
        ("12.50 USD", "USD", "12.50"),
        ("US$1,234.56", "USD", "1234.56"),
        ("€ 1.234.567,89", "EUR", "1234567.89"),
        ("1 980,00 €", "EUR", "1980"),
        ("1\u202f980,00\u00a0€", "EUR", "1980"),
        ("12,- €", "EUR", "12"),
        ("CHF 1'980.50", "CHF", "1980.50"),
        ("£0.99", "GBP", "0.99"),
        ("₩15,000", "KRW", "15000"),
        ("¥198.00 (税込)", "JPY", "198"),
        ("¥198.00 CNY", "CNY", "198"),
    ],
)
def test_a_price_with_its_currency_is_read(text: str, currency: str, amount: str) -> None:
    assert read_money(text) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("2.199,00", "EUR", "2199"),
        ("$12.50", "USD", "12.50"),
        ("$12.50", "AUD", "12.50"),
        ("¥88", "CNY", "88"),
        ("kr 99", "SEK", "99"),
        ("1,980", "USD", "1980"),
        ("1.980", "JPY", "1980"),
        ("1980.00", "JPY", "1980"),
        ("12.50", "eur", "12.50"),
    ],
)
def test_a_currency_that_is_known_from_elsewhere_settles_it(text: str, currency: str, amount: str) -> None:
    assert read_money(text, currency) == (Decimal(amount), currency.upper())


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("", None), ("無料", None), ("1980", None), ("$12.50", None), ("kr 99", None), ("12 XYZ", None), ("12", "XYZ"),
        ("1,980", "EUR"), ("1.980", "EUR"), ("1.980", "USD"), ("1.980", "KWD"), ("1,980", "KWD"),
        ("19.80", "JPY"), ("1,980〜2,980円", None), ("1,980円/kg", None), ("1,980円 (100gあたり 198円)", None),
        ("10% off", "USD"), ("from 12.50", "USD"), ("-5 EUR", None), ("12 EUR USD", None), ("EUR 12", "USD"),
        ("1.234,5,6", "EUR"), ("1,98,0", "JPY"), ("0,980", "USD"), ("1,2345", "USD"), ("12.345.6", "EUR"),
        ("99999999999999999", "JPY"), ("12 EUR 13", None), ("0", "JPY"), ("0.00", "EUR"), ("-¥500", None),
        ("−¥500", None), ("▲500円", None), ("- 500円", None), ("1980円(税抜)", None), ("1980円 税別", None),
        ("本体価格 1980円", None), ("$12⁵⁰", "USD"), ("①980円", None), ("¥198.00", None), ("￥19.80", None),
        ("12" + " eur" * 16, None), ("1\n980", "EUR"), ("1  980", "EUR"),
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_or_is_more_than_a_price_is_not_read(text: str, currency: str | None) -> None:
    assert read_money(text, currency) is None


@given(st.integers(1, 10**9), st.integers(0, 99))
def test_both_ways_of_writing_thousands_and_cents_are_the_same(whole: int, cents: int) -> None:
    english = f"{whole:,}.{cents:02}"
    german = english.translate(str.maketrans(",.", ".,"))
    expected = (Decimal(whole) + Decimal(cents) / 100, "EUR")
    assert read_money(f"{english} EUR") == read_money(f"EUR {german}") == expected


@given(st.text(max_size=30), st.sampled_from([None, "JPY", "EUR", "USD"]))
def test_no_text_breaks_it(text: str, currency: str | None) -> None:
    found = read_money(text, currency)
    assert found is None or found[0] > 0


def test_a_number_of_json_is_what_it_is() -> None:
    assert read_value(Decimal("1.980"), "EUR") == (Decimal("1.98"), "EUR")
    assert read_value(Decimal("19.8"), "JPY") is None
    assert read_value(Decimal("-1"), "EUR") is None
    assert read_value(Decimal("-0.0"), "EUR") is None
    assert read_value(Decimal("NaN"), "EUR") is None
    assert read_value(Decimal("1e30"), "EUR") is None
    assert read_value(True, "EUR") is None
    assert read_value(Decimal(1), None) is None
