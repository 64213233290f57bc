"""The words of prices: what is cheap now, and why a page cannot be read."""

from datetime import datetime
from decimal import Decimal

from babel.numbers import format_currency
from flask_babel import LazyString, get_locale
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app import i18n
from app.clock import now
from app.kinds import Description
from app.sources.prices.models import Trigger
from app.sources.prices.shops.offer import Why
from app.sources.prices.triggers import Wish

WHY: dict[Why, LazyString] = {
    Why.NO_PRODUCT: _l("The page does not say in schema.org's words what it sells and for how much."),
    Why.SEVERAL_PRICES: _l("The page names several prices, and does not say which one counts."),
    Why.UNCLEAR_PRICE: _l("The price on the page can be read in more than one way."),
    Why.OTHER_CURRENCY: _l("The page now names another currency."),
    Why.UNCLEAR_STOCK: _l("The page does not say clearly whether it can be bought."),
    Why.TOO_LARGE: _l("The page is larger than 2 MB, or has more in it than any page of a shop."),
    Why.NOT_ALLOWED: _l("The shop does not allow robots to read this page (robots.txt)."),
    Why.INSIDE: _l("The address leads into a private network, where nothing is read."),
    Why.NO_SUCH_HOST: _l("There is no shop of this name. Look for a slip in the address."),
    Why.LEADS_AWAY: _l("The page only leads on to other addresses, which could not be followed."),
    Why.REFUSED: _l("The shop does not show this page to Todoke."),
}


def why(code: str | None) -> str:
    """Why something cannot be read, in a sentence; empty for None, and for what another version kept."""
    return str(WHY[Why(code)]) if code in tuple(Why) else ""


def money(amount: Decimal, currency: str) -> str:
    """An amount as the reader writes it: ￥1,980, €19.80."""
    return str(format_currency(amount, currency, locale=_language()))


def cheap(watch_id: int, title: str, wish: Wish, price: Decimal, currency: str, read_at: datetime) -> Description:
    """What was waited for is so, by what was read at that moment."""
    costs, as_of = money(price, currency), _as_of(read_at)
    match wish.trigger:
        case Trigger.BELOW_TARGET:
            target = money(wish.target or price, currency)
            body = _("As of %(time)s; you wished for %(target)s or less.", time=as_of, target=target)
        case Trigger.PERCENT_DROP:
            before = money(wish.baseline or price, currency)
            body = _("As of %(time)s; it was %(before)s, and you wished for %(percent)d%% less.",
                     time=as_of, before=before, percent=wish.percent or 0)  # fmt: skip
        case Trigger.BACK_IN_STOCK:
            body = _("As of %(time)s; it is back in stock.", time=as_of)
    return Description(_("%(price)s: %(title)s", price=costs, title=title), body, page_of(watch_id))


def instead(price: Decimal, currency: str, read_at: datetime) -> str:
    """What the shop said in place of what was waited for."""
    return str(_("It cost %(price)s at %(time)s.", price=money(price, currency), time=_as_of(read_at)))


def seen(watch_id: int, title: str) -> Description:
    """What was waited for was seen, but never told: of numbers that were not read again nothing is said."""
    return Description(_("Price watch: %(title)s", title=title), "", page_of(watch_id))


def unreadable(title: str, code: str | None, read_before: bool) -> Description:
    """An item whose page changed its form, or never had one that can be read."""
    advice = _("Look at the page. Watching goes on by itself as soon as it can be read again.")
    says = (_("“%(title)s” cannot be read any more", title=title) if read_before
            else _("“%(title)s” cannot be read", title=title))  # fmt: skip
    return Description(says, f"{why(code)} {advice}".strip(), "/watches")


def silent(title: str, since: datetime) -> Description:
    """An item whose shop gives no answer."""
    body = _("Since %(time)s. Look whether the page is still there. Watching goes on by itself as soon as it answers.",
             time=i18n.moment(since, _language()))  # fmt: skip
    return Description(_("“%(title)s” gives no answer", title=title), body, "/watches")


def well_again(title: str) -> Description:
    """An item that could not be read when it was told of."""
    return Description(
        _("“%(title)s” could not be read for a while", title=title), _("It can be read again."), "/watches"
    )


def page_of(watch_id: int) -> str:
    """The page of a watch."""
    return f"/watches/{watch_id}"


def _as_of(instant: datetime) -> str:
    today = instant.astimezone(i18n.zone()).date() == now().astimezone(i18n.zone()).date()
    return i18n.time(instant) if today else i18n.moment(instant, _language())


def _language() -> str:
    return str(get_locale() or "en")
