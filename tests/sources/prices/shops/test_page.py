"""Product pages as shops write them: JSON-LD and microdata, read right or not at all."""

import json
from decimal import Decimal
from random import Random
from time import thread_time
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


def aggregate(**said: Any) -> dict[str, Any]:
    return {"@type": "AggregateOffer", "priceCurrency": "JPY"} | said


def specified(*prices: dict[str, Any]) -> dict[str, Any]:
    return {"@type": "Offer", "priceCurrency": "JPY", "priceSpecification": list(prices)}


def other(price: str = "980") -> dict[str, Any]:
    return product(OFFER | {"price": price}, name="Filter")


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
        product([OFFER, OFFER | {"price": "unknown", "availability": "https://schema.org/OutOfStock"}]),
        product(aggregate(lowPrice=1980, highPrice="1980.00")),
        product(aggregate(lowPrice="1980", offerCount=1)),
        product(aggregate(availability="InStock", offers=[{"price": "1980"}])),
        product(specified({"price": "1980"}, {"price": "2980", "priceType": "https://schema.org/ListPrice"})),
        product(specified({"price": "2980", "priceType": "StrikethroughPrice"}, {"price": "1980"})),
        product(specified({"price": "1500", "validForMemberTier": {"@id": "#gold"}}, {"price": 1980})),
        product(specified({"price": "198", "referenceQuantity": {"value": 100, "unitCode": "GRM"}}, {"price": 1980})),
        product(specified({"price": "1980", "referenceQuantity": {"value": 2, "valueReference": {"value": 1}}})),
        product(specified({"price": "500", "@type": "DeliveryChargeSpecification"}, {"price": "1980.00"})),
        product(OFFER | {"priceSpecification": {"price": 1980, "priceCurrency": "JPY"}}),
        [{"@type": "ItemPage", "mainEntity": {"@id": "#kettle"}}, other(), product(OFFER, **{"@id": "#kettle"})],
        [{"@type": "Review", "itemReviewed": other()}, product(OFFER)],
        [{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": other()}]}, product(OFFER)],
        product(OFFER, isRelatedTo=other()),
        product(None, **{"@type": "ProductGroup", "hasVariant": [product(OFFER), product(OFFER, name="Red")]}),
        {"@graph": [product({"@id": "#offer"}), OFFER | {"@id": "#offer"}]},
        {"@graph": [product(aggregate(offers=[{"@id": "#a"}])), OFFER | {"@id": "#a"}]},
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


@pytest.mark.parametrize(
    ("price", "amount"),
    [
        ("<b>￥</b><b>1,980</b><i>(税込)</i>", "1980"),
        ("\n  ￥\n            1,980\n                             \n                            (税込)\n", "1980"),
        ("￥1,980<small>.00</small>円", "1980"),
    ],
)
def test_a_price_of_several_elements_is_one_text(price: str, amount: str) -> None:
    assert found(read(microdata(price)))[0] == Decimal(amount)


@pytest.mark.parametrize("price", ["$12<sup>50</sup>", "$12 <sup>500</sup>", "$1<br>980", "$ 12⁵⁰", "<s>$15</s>$12"])
def test_digits_of_two_elements_are_no_number(price: str) -> None:
    assert why(read(microdata(price), currency="USD")) == Why.UNCLEAR_PRICE


def microdata(price: str) -> str:
    return (
        '<div itemscope itemtype="https://schema.org/Product"><div itemprop="offers" itemscope>'
        f'<span itemprop="price">{price}</span></div></div>'
    )


@pytest.mark.parametrize("deep", ["", "<div>" * 1500])
def test_microdata_lies_anywhere_below_its_product_or_where_it_refers_to(deep: str) -> None:
    page = (
        '<div id="cost"><p itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        '<data itemprop="price" value="1980"></data><meta itemprop="priceCurrency" content="JPY"></p></div>'
        f'<div itemscope itemtype="https://schema.org/Product" itemref="cost gone">{deep}<b itemprop="name">Kettle</b>'
    )
    assert found(read(page)) == (Decimal(1980), "JPY", "Kettle")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<script type="application/ld+json"><!--\n', "\n--></script>"),
        ('<script type="application/ld+json">//<![CDATA[\n', "\n//]]></script>"),
        ('<script type="application/ld+json">/* <![CDATA[ */', "/* ]]> */</script>"),
        ('<script type="application/ld+json; charset=utf-8">', "</script>"),
        ('<script type="Application/LD+JSON">', ";</script>"),
    ],
)
def test_json_ld_in_its_wrappings(before: str, after: str) -> None:
    assert found(read(before + json.dumps(product(OFFER)) + after)) == (Decimal(1980), "JPY", "Kettle")


def test_what_is_out_of_stock_has_no_price_that_counts() -> None:
    for stock in ("OutOfStock", "SoldOut", "Discontinued", "PreOrder"):
        reading = read(json_ld(product(OFFER | {"availability": f"https://schema.org/{stock}"})))
        assert isinstance(reading, Unavailable)
        assert reading.title == "Kettle"
    assert isinstance(read(json_ld(product({"@type": "Offer", "availability": "OutOfStock"}))), Unavailable)
    assert isinstance(read(json_ld(product(aggregate(availability="SoldOut", offers=[{"price": 1}])))), Unavailable)
    assert isinstance(read(json_ld(product(OFFER | {"availability": "SoldOut", "price": "unknown"}))), Unavailable)


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
        (product(aggregate(lowPrice=100, offerCount=5)), Why.SEVERAL_PRICES),
        (product(aggregate(highPrice=100)), Why.SEVERAL_PRICES),
        (product(specified({"price": 1980}, {"price": 1480})), Why.SEVERAL_PRICES),
        (product(specified({"price": 2980, "priceType": "ListPrice"})), Why.UNCLEAR_PRICE),
        (product(specified({"price": 198, "referenceQuantity": {"value": 100, "unitCode": "GRM"}})), Why.UNCLEAR_PRICE),
        (product(OFFER | {"priceCurrency": ["JPY", "USD"]}), Why.UNCLEAR_PRICE),
        (product(OFFER | {"price": "0.00"}), Why.UNCLEAR_PRICE),
        (product(OFFER | {"price": 0}), Why.UNCLEAR_PRICE),
        ([other(), product(OFFER)], Why.SEVERAL_PRICES),
        ([product(OFFER | {"availability": "SoldOut"}), other()], Why.UNCLEAR_STOCK),
        ({"@type": "ItemPage", "mainEntity": product(None), "about": other()}, Why.NO_PRODUCT),
        ({"@type": "Review", "itemReviewed": other()}, Why.NO_PRODUCT),
        (product(None, **{"@type": "ProductGroup", "hasVariant": [product(OFFER), other()]}), Why.SEVERAL_PRICES),
        (product({"@id": "#nowhere"}), Why.NO_PRODUCT),
        ({"@graph": [product({"@id": "#a"}), {"@id": "#a", "offers": [{"@id": "#a"}]}]}, Why.NO_PRODUCT),
        (product(OFFER | {"availability": ["InStock", "SoldOut"]}), Why.UNCLEAR_STOCK),
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
        b"<script type='application/ld+json'>[1E+999999999999999999999]</script>",
        b"<div id=a itemscope itemref=a>" + b"<p itemscope itemprop=offers itemref=a>" * 9,
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_no_product_page_breaks_nothing(body: bytes) -> None:
    assert why(read(body)) == Why.NO_PRODUCT


@pytest.mark.parametrize("charset", ["nonsense", "undefined", "idna", "hex", "utf-7", "unicode_escape", "punycode"])
def test_an_encoding_of_no_page_is_taken_for_utf_8(charset: str) -> None:
    page = json_ld(product(OFFER, name="\\ud800")).encode() + b"<p>\xff+2AA-\\ud800"
    assert found(read(page, f"text/html; charset={charset}"))[0] == 1980


PART = {"@id": "#a", "price": 1, "priceCurrency": "JPY"}


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (microdata("1</span>" + "<b itemprop=price>1</b>" * 24_000), ""),
        (microdata("1") + "<p itemprop=name>" * 5000 + "x", ""),
        ("<b id=a itemprop=offers>x</b>" + "<p itemscope itemtype=Product itemref=a></p>" * 10_000, ""),
        (json_ld(product(OFFER | {"price": "12" + " eur" * 64_000})), ""),
        (json_ld([*[product({"@id": "#a"})] * 8000, *[PART] * 8000]), ""),
        ("<div>" * 100_000, ""),
        ("a-" + "z" * 250_000, "text/html; charset=punycode"),
    ],
    ids=["one property", "nested properties", "one reference", "currencies", "names", "depth", "punycode"],
)
def test_no_page_holds_the_process(body: str, content_type: str) -> None:
    started = thread_time()
    read(body, content_type)
    assert thread_time() - started < 1


SHARDS = [b'"', b"{", b"[]", b"<", b"9" * 40, b"1E+99999999999999999999", b"charset=idna>", b"\\ud800"]


def test_no_bytes_break_it() -> None:
    chance = Random(7)
    good = [json_ld(product(OFFER)), json_ld({"@graph": [product({"@id": "#a"}), OFFER | {"@id": "#a"}]})]
    good += [microdata("￥1,980(税込)"), '<meta charset="euc-jp">' + microdata("<b>12</b><sup>50</sup>")]
    for _ in range(600):
        body = bytearray(chance.choice(good).encode())
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(body))
            body[at : at + chance.randint(0, 4)] = chance.choice([chance.randbytes(2), *SHARDS])
        assert isinstance(read(bytes(body), ""), Price | Unavailable | FetchFailed)


def test_broken_json_beside_good_json_is_passed_by() -> None:
    page = "<script type='application/ld+json'>{oops</script>" + json_ld(product(OFFER))
    assert found(read(page))[0] == 1980


def test_a_title_is_one_line_of_text() -> None:
    reading = read(json_ld(product(OFFER, name="  Ket\x00tle\n\u3000\ud800 2L ")))
    assert found(reading)[2] == "Kettle 2L"
