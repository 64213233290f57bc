"""Prices as shops write them, read right or not at all.

A comma may stand before thousands or before cents, and which it is depends on who writes. So it is taken for one of
them only where it cannot be the other: by a second separator, by the number of digits behind it, by a currency that has
no cents. A second number, a unit such as "/kg" or any other word makes it something else than a price.
"""

import re
from decimal import Decimal
from unicodedata import normalize

_CURRENCIES = {
    "¥": "JPY", "円": "JPY", "€": "EUR", "£": "GBP", "₩": "KRW", "원": "KRW", "元": "CNY", "us$": "USD", "a$": "AUD",
    "c$": "CAD", "hk$": "HKD", "nt$": "TWD", "s$": "SGD", "kr": None, "$": None,
}  # fmt: skip
"""None: used by several currencies."""
_SHARED_SIGNS = {"¥": {"JPY", "CNY"}, "$": {"USD", "AUD", "CAD", "HKD", "TWD", "SGD", "NZD", "MXN"},
                 "kr": {"SEK", "NOK", "DKK", "ISK"}}  # fmt: skip
WITHOUT_CENTS = frozenset({"JPY", "KRW", "VND", "CLP", "ISK", "PYG", "UGX", "XAF", "XOF", "XPF"})
_WITH_THOUSANDTHS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
_COMMA_BEFORE_THOUSANDS = frozenset(
    {"USD", "GBP", "AUD", "NZD", "CNY", "TWD", "HKD", "SGD", "THB", "PHP", "MYR", "INR", "ILS", "MXN"}
)
"""Their countries write no comma before cents."""
_KNOWN = _COMMA_BEFORE_THOUSANDS | WITHOUT_CENTS | _WITH_THOUSANDTHS | {
    "EUR", "CAD", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "UAH", "BRL", "IDR", "ZAR",
    "AED", "SAR", "ARS", "COP", "PEN", "EGP", "RUB",
}  # fmt: skip

_NUMBER = re.compile(r"[0-9]+(?:[.,' ][0-9]+)*")
_REMARKS = re.compile(r"税込み?|販売価格|価格|特価|price|[()\[\]:：.\-*,\s]")
"""What may stand around a price: not 税抜 or 本体価格, to which the tax is added."""
_TAIL = re.compile(r"(?:\.-|,-|,--|-)$")
"""Where cents are none: "12,-"."""
_GAPS = re.compile(r"\s{2,}")
_JAPANESE = re.compile("円|税込|jpy")
_CENTS = re.compile(r"[.,][0-9]{1,2}$")
MOST = Decimal(10) ** 13
LONGEST = 60
"""Characters of a text that may be a price."""


def read_money(text: str, currency: str | None = None) -> tuple[Decimal, str] | None:
    """Amount and currency; None when either is not certain. `currency` is what is known from elsewhere."""
    short = _GAPS.sub("\n", text.strip())
    if len(short) > LONGEST or any(sign.isnumeric() and not sign.isdecimal() for sign in short):
        return None  # in $12⁵⁰ the small digits are cents: normalised they would be ordinary ones
    written = normalize("NFKC", short).replace("\u2019", "'").strip().lower()
    known = currency.upper() if currency and currency.upper() in _KNOWN else None
    if currency and known is None:
        return None
    numbers = _NUMBER.findall(written)
    if len(numbers) != 1:
        return None
    before, _found, after = written.partition(numbers[0])
    if "-" in before:
        return None
    found = _currency(f"{before} {_TAIL.sub('', after.strip())}", known)
    if found is None or (known is None and found == "JPY" and _may_be_yuan(written, numbers[0])):
        return None
    amount = _amount(numbers[0], found)
    return (amount, found) if amount is not None and 0 < amount < MOST else None


def is_known(currency: str) -> bool:
    """Whether amounts in this currency are read."""
    return currency in _KNOWN


def read_value(value: object, currency: str | None) -> tuple[Decimal, str] | None:
    """The same of a value in JSON: a number is what it is, a text was written by somebody."""
    if isinstance(value, str):
        return read_money(value, currency)
    if not isinstance(value, Decimal) or not value.is_finite() or currency is None or currency.upper() not in _KNOWN:
        return None
    code, whole = currency.upper(), value == value.to_integral_value()
    exact = 0 < value < MOST and value == round(value, 4) and (whole or code not in WITHOUT_CENTS)
    return (value, code) if exact else None


def _currency(around: str, known: str | None) -> str | None:
    left = around
    said: set[str] = set()
    for code in re.findall(r"\b[a-z]{3}\b", left):
        if code.upper() in _KNOWN:
            said.add(code.upper())
            left = left.replace(code, " ", 1)
    for sign in sorted(_CURRENCIES, key=len, reverse=True):
        if sign in left:
            left = left.replace(sign, " ")
            said |= _meant(sign, known, said)
    if _REMARKS.sub("", left) or len(said) > 1 or "?" in said:
        return None
    only = next(iter(said), known)
    return only if known in (None, only) else None


def _may_be_yuan(written: str, number: str) -> bool:
    """Nobody writes cents of yen."""
    return "¥" in written and _CENTS.search(number) is not None and _JAPANESE.search(written) is None


def _meant(sign: str, known: str | None, said: set[str]) -> set[str]:
    one = known or next(iter(said), None)
    if one in _SHARED_SIGNS.get(sign, ()):
        return {one} if one else set()
    return {_CURRENCIES[sign] or "?"}


def _amount(number: str, currency: str) -> Decimal | None:
    whole, cents = _parted(number, currency)
    if whole is None:
        return None
    found = Decimal(f"{whole}.{cents or '0'}")
    return found if currency not in WITHOUT_CENTS or found == int(found) else None


def _parted(number: str, currency: str) -> tuple[str | None, str]:
    """The digits before and after the decimal sign; None when it is not certain which sign that is."""
    signs = [one for one in number if not one.isdigit()]
    if not signs:
        return number, ""
    last, others = signs[-1], signs[:-1]
    head, _sign, tail = number.rpartition(last)
    if not others:
        return _parted_once(number, head, last, tail, currency)
    if last in others:  # no decimal sign comes twice
        return (_joined(number, last), "") if set(signs) == {last} else (None, "")
    if last in "' " or len(set(others)) > 1 or len(tail) not in (1, 2):
        return None, ""
    return _joined(head, others[0]), tail


def _parted_once(number: str, head: str, sign: str, tail: str, currency: str) -> tuple[str | None, str]:
    if sign in "' ":
        return _joined(number, sign), ""
    if len(tail) != 3:
        return (head, tail) if len(tail) in (1, 2) else (None, "")
    certain = currency in WITHOUT_CENTS or (sign == "," and currency in _COMMA_BEFORE_THOUSANDS)
    return (_joined(number, sign), "") if certain else (None, "")


def _joined(grouped: str, sign: str) -> str | None:
    """The digits of a number that is grouped by thousands; None if it is not."""
    first, *rest = grouped.split(sign)
    fits = re.fullmatch("[1-9][0-9]{0,2}", first) and all(re.fullmatch("[0-9]{3}", one) for one in rest)
    return first + "".join(rest) if fits else None
