"""What a visitor does on the pages of price watches."""

import re
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from app.sources.prices.models import Watch
from tests.fakes.shop import FakeShop
from tests.sources.prices.town import number_of, watching
from tests.web.visitor import Visitor


def preview(visitor: Visitor, url: str, **fields: Any) -> TestResponse:
    """Paste an address, and press the button."""
    return visitor.post("/watches/new", url=url, **fields)


def seen_in(page: TestResponse) -> str:
    """What the page hands on of what was read."""
    found = re.search(r'name="seen" value="([^"]+)"', page.text)
    assert found is not None
    return found.group(1)


def watch(visitor: Visitor, url: str, **wish: Any) -> TestResponse:
    """Preview it, and watch it."""
    return visitor.post("/watches", seen=seen_in(preview(visitor, url)), **{"trigger": "below_target"} | wish)


def watched(app: Flask, visitor: Visitor, shop: FakeShop, name: str = "kettle", price: str = "1980") -> int:
    """A watch of this visitor's that waits for 1,500 yen; its id."""
    assert visitor.account_id is not None
    with app.app_context():
        return watching(visitor.account_id, shop.sells(name, price))


def watches_there_are(app: Flask) -> int:
    """By anybody."""
    with app.app_context():
        return number_of(Watch)
