"""Product pages as shops write them: JSON-LD and microdata, read right or not at all."""

import json
from decimal import Decimal
from typing import Any

import pytest

from app.sources.prices.shops.fetching import Document
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, Unavailable, Why
from app.sources.prices.shops.page import read_page

OFFER = {"@type": "Offer", "price": "1980", "priceCurrency": "JPY", "availability": "https://schema.org/InStock"}


def read(body: str | bytes, content_type: str = "text/html; charset=utf-8", currency: str | None = None) -> Reading:
    content = body.encode() if isinstance(body, str) else body
    return read_page(Document(content, {"Content-Type": content_type}), currency)


def json_ld(said: Any) -> str:
    return f'<html><head><script type="application/ld+json">{json.dumps(said)}</script></head></html>'


def product(offers: Any, **more: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org/", "@type": "Product", "name": "Kettle", "offers": offers} | more


def found(reading: Reading) -> tuple[Decimal, str, str]:
    assert isinstance(reading, Price), reading
    return reading.amount, reading.currency, reading.title


def why(reading: Reading) -> Why | None:
    assert isinstance(reading, FetchFailed), reading
    return reading.why


@pytest.mark.parametrize(
    "said",
    [
        product(OFFER),
        product([OFFER]),
        [product(OFFER)],
        {"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, product(OFFER)]},
        {"@type": "ItemPage", "mainEntity": product(OFFER)},
        product(OFFER, **{"@type": ["Product", "Thing"]}),
        product(OFFER, **{"@type": "http://schema.org/Product"}),
        product(OFFER | {"price": 1980}),
        product(OFFER | {"price": 1980.0}),
        product(OFFER | {"price": "￥1,980(税込)"}),
        product({k: v for k, v in OFFER.items() if k != "availability"}),
        product(OFFER | {"availability": "InStock"}),
        product(OFFER | {"availability": "http://schema.org/LimitedAvailability"}),
        product({"@type": "Offer", "priceSpecification": {"price": "1980", "priceCurrency": "JPY"}}),
        product({"@type": "AggregateOffer", "lowPrice": "1980", "highPrice": "1980", "priceCurrency": "JPY"}),
        product({"@type": "AggregateOffer", "priceCurrency": "JPY", "offers": [OFFER, OFFER]}),
        product([OFFER, OFFER | {"price": "2500", "availability": "https://schema.org/OutOfStock"}]),
    ],
)
def test_json_ld_in_all_its_forms(said: Any) -> None:
    assert found(read(json_ld(said))) == (Decimal(1980), "JPY", "Kettle")


def test_microdata_with_the_price_as_text_in_a_japanese_encoding() -> None:
    page = (
        '<html><meta charset="Shift_JIS"><div itemscope itemtype="http://schema.org/Product">'
        '<h1 itemprop="name"> やかん\n 2L </h1><p itemprop="offers" itemscope itemtype="http://schema.org/Offer">'
        '<span itemprop="price">￥1,980(税込)</span><link itemprop="availability" href="http://schema.org/InStock">'
        "</p></div></html>"
    )
    assert found(read(page.encode("shift_jis"), "text/html")) == (Decimal(1980), "JPY", "やかん 2L")


def test_microdata_with_the_price_in_attributes() -> None:
    page = (
        '<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Pan</span>'
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        '<meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="2199.00">2.199,00 €</span></div>'
    )
    assert found(read(page)) == (Decimal(2199), "EUR", "Pan")


def test_what_is_out_of_stock_has_no_price_that_counts() -> None:
    for stock in ("OutOfStock", "SoldOut", "Discontinued", "PreOrder"):
        reading = read(json_ld(product(OFFER | {"availability": f"https://schema.org/{stock}"})))
        assert isinstance(reading, Unavailable)
        assert reading.title == "Kettle"
    assert isinstance(read(json_ld(product({"@type": "Offer", "availability": "OutOfStock"}))), Unavailable)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"@type": "WebPage", "name": "x"}, Why.NO_PRODUCT),
        (product([]), Why.NO_PRODUCT),
        (product("free"), Why.NO_PRODUCT),
        (product([OFFER, OFFER | {"price": "2500"}]), Why.SEVERAL_PRICES),
        (
            product({"@type": "AggregateOffer", "lowPrice": "1", "highPrice": "2", "priceCurrency": "JPY"}),
            Why.SEVERAL_PRICES,
        ),
        (product(OFFER | {"price": ["1", "2"]}), Why.SEVERAL_PRICES),
        (product(OFFER | {"price": "1.980", "priceCurrency": "EUR"}), Why.UNCLEAR_PRICE),
        (product({"@type": "Offer", "price": "1980"}), Why.UNCLEAR_PRICE),
        (product({"@type": "Offer", "availability": "InStock"}), Why.UNCLEAR_PRICE),
        (product(OFFER | {"availability": "https://schema.org/Perhaps"}), Why.UNCLEAR_STOCK),
    ],
)
def test_what_does_not_say_one_price_is_not_read(said: Any, reason: Why) -> None:
    assert why(read(json_ld(said))) == reason


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\x00\xff\xfe", b"{}", b"<script type='application/ld+json'>{not json</script>",
        b"<script type='application/ld+json'>" + b"[" * 100_000 + b"</script>",
        b"<div itemscope>" * 5000, b"<div itemscope itemprop=x>" * 5000,
    ],
    ids=range(7),
)  # fmt: skip
def test_what_is_no_product_page_breaks_nothing(body: bytes) -> None:
    assert why(read(body, "text/html; charset=nonsense")) == Why.NO_PRODUCT


def test_broken_json_beside_good_json_is_passed_by() -> None:
    page = "<script type='application/ld+json'>{oops</script>" + json_ld(product(OFFER))
    assert found(read(page))[0] == 1980


def test_a_title_is_one_line_of_text() -> None:
    reading = read(json_ld(product(OFFER, name="  Ket\x00tle\n\u3000\ud800 2L ")))
    assert found(reading)[2] == "Kettle 2L"
