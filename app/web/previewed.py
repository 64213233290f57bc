"""A preview on its way through the form that follows it: signed, so that what a person saw is what is watched from."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from flask import current_app
from flask_babel import gettext as _
from itsdangerous import BadData, URLSafeSerializer

from app.clock import now
from app.faults import Fault, InvalidInput
from app.sources.prices.models import Adapter
from app.sources.prices.preview import Preview, Silence
from app.sources.prices.shops.offer import FetchFailed, Price, Reading, ShopItem, Trouble, Unavailable

GOOD_FOR = timedelta(hours=1)


def write(preview: Preview) -> str:
    """The preview as a word that nobody else can make."""
    item, reading = preview.item, preview.reading
    values: dict[str, Any] = {
        "item": [item.url, item.adapter, item.price_path, item.stock_path, item.currency],
        "silence": preview.silence,
        "at": now().isoformat(),
    }
    if not isinstance(reading, FetchFailed):
        values |= {"title": reading.title, "at": reading.read_at.isoformat()}
    if isinstance(reading, Price):
        values |= {"amount": str(reading.amount), "currency": reading.currency}
    return str(_signer().dumps(values))


def read(word: str) -> Preview | None:
    """The preview of this word; None for one that was not made here.

    Raises InvalidInput when it is old: the price that a person saw then is none to count from.
    """
    try:
        values = _signer().loads(word)
    except BadData:
        return None
    at = datetime.fromisoformat(values["at"])
    if now() - at > GOOD_FOR:
        raise InvalidInput(Fault("url", _("What was read is more than an hour old. Read the page again.")))
    url, adapter, price_path, stock_path, currency = values["item"]
    item = ShopItem(url, Adapter(adapter), price_path, stock_path, currency)
    return Preview(item, _reading(values, at), Silence(values["silence"]) if values["silence"] else None)


def _reading(values: dict[str, Any], at: datetime) -> Reading:
    if values["silence"]:
        return FetchFailed(Trouble.UNREACHABLE)
    if "amount" in values:
        return Price(Decimal(values["amount"]), values["currency"], values["title"], at)
    return Unavailable(values["title"], at)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="price-preview")
