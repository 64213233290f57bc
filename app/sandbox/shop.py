"""A shop: a few things with the JSON-LD that real product pages carry, and switches for what its pages answer."""

import json
import sqlite3
from dataclasses import dataclass
from time import sleep
from typing import Literal, get_args

from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from app.sandbox.origins import refuse_foreign_origins
from app.sandbox.store import store
from app.sandbox.words import words_for

shop = Blueprint("shop", __name__, url_prefix="/shop")
shop.before_request(refuse_foreign_origins)

Conduct = Literal["ordinary", "rate_limit", "error", "slow", "new_form"]
CONDUCTS: tuple[Conduct, ...] = get_args(Conduct)
RETRY_AFTER = "30"
HIGHEST_PRICE = 10_000_000


@dataclass(frozen=True)
class Product:
    """One thing that is sold, in yen. `conduct`: what its page does when somebody asks for it."""

    code: str
    name: str
    price: int
    in_stock: bool
    conduct: Conduct


@shop.get("/")
def index() -> Response:
    """What it sells, with the switches."""
    return _index()


@shop.get("/<code>")
def product(code: str) -> Response | tuple[str, int]:
    """A product page, or whatever its switch says."""
    found = _find(code)
    said = words_for(request)
    match found.conduct:
        case "rate_limit":
            answer = make_response(render_template("sandbox/shop_page.html", product=found, data=None, **said), 429)
            answer.headers["Retry-After"] = RETRY_AFTER
            return answer
        case "error":
            return render_template("sandbox/shop_page.html", product=found, data=None, **said), 500
        case "slow":
            sleep(current_app.config["SHOP_SLOWNESS"])
    data = None if found.conduct == "new_form" else _json_ld(found)
    return make_response(render_template("sandbox/shop_page.html", product=found, data=data, **said))


@shop.post("/<code>")
def change(code: str) -> AnyResponse:
    """Set price, stock, and what the page does."""
    _find(code)
    price, conduct = request.form.get("price", "").strip(), request.form.get("conduct", "")
    digits = price.replace(",", "")
    if not digits.isdecimal() or len(digits) > 9 or not 0 < int(digits) <= HIGHEST_PRICE:
        return _index(code)
    if conduct not in CONDUCTS:
        abort(400)
    with store().writing() as db:
        db.execute(
            "UPDATE product SET price = ?, in_stock = ?, conduct = ? WHERE code = ?",
            (int(digits), int(request.form.get("stock") == "in"), conduct, code),
        )
    return redirect(url_for("shop.index", _anchor=code), 303)


def _index(faulty: str | None = None) -> Response:
    with store().reading() as db:
        products = [_product(row) for row in db.execute("SELECT * FROM product ORDER BY price, code")]
    shown = {"products": products, "conducts": CONDUCTS, "faulty": faulty, "typed": request.form}
    html = render_template("sandbox/shop.html", **shown, **words_for(request))
    answer = make_response(html, 200 if faulty is None else 400)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _find(code: str) -> Product:
    with store().reading() as db:
        row = db.execute("SELECT * FROM product WHERE code = ?", (code,)).fetchone()
    if row is None:
        abort(404)
    return _product(row)


def _product(row: sqlite3.Row) -> Product:
    return Product(row["code"], row["name"], row["price"], bool(row["in_stock"]), row["conduct"])


def _json_ld(product: Product) -> Markup:
    said = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product.name,
        "sku": product.code,
        "offers": {
            "@type": "Offer",
            "price": str(product.price),
            "priceCurrency": "JPY",
            "availability": f"https://schema.org/{'InStock' if product.in_stock else 'OutOfStock'}",
        },
    }
    # "</script>" in a name would end the element.
    return Markup(json.dumps(said, ensure_ascii=False).replace("<", "\\u003c"))  # noqa: S704
