"""What somebody typed when asked what to wait for."""

import re
from dataclasses import dataclass
from decimal import Decimal

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.sources.prices.messages import money
from app.sources.prices.models import Trigger
from app.sources.prices.money import read_money
from app.sources.prices.shops.offer import Price, Reading

LEAST, MOST = 1, 99


@dataclass(frozen=True, slots=True)
class Wished:
    """What a new watch waits for. `currency` is that of the target."""

    trigger: Trigger
    target: Decimal | None = None
    percent: int | None = None
    currency: str | None = None


def read_wish(trigger: str, target: str, percent: str, reading: Reading, currency: str | None) -> Wished:
    """What a form says, of an item that was just read, and is sold in that currency as far as anybody knows.

    Raises InvalidInput for what cannot be waited for.
    """
    if trigger not in tuple(Trigger):
        raise InvalidInput(Fault("trigger", _("Choose what to wait for.")))
    chosen = Trigger(trigger)
    if chosen is Trigger.BELOW_TARGET:
        amount, named = _target(target, reading, currency)
        return Wished(chosen, target=amount, currency=named)
    if chosen is Trigger.PERCENT_DROP:
        return Wished(chosen, percent=_percent(percent))
    return Wished(chosen)


def _target(written: str, reading: Reading, currency: str | None) -> tuple[Decimal, str]:
    found = read_money(written, currency)
    if found is None or found[0] <= 0:
        # A bare number is refused while its currency is unknown: it would be told as true in a wrong one some day.
        with_currency = _("Enter a price and its currency: 1980 JPY, 20 EUR.")
        raise InvalidInput(Fault("target", _("Enter a price such as 1980.") if currency else with_currency))
    if isinstance(reading, Price) and reading.amount <= found[0]:
        now_it_costs = money(reading.amount, reading.currency)
        raise InvalidInput(Fault("target", _("It costs %(price)s already. Enter less than that.", price=now_it_costs)))
    return found


def _percent(written: str) -> int:
    digits = written.strip().removesuffix("%").strip()
    if not re.fullmatch("[0-9]{1,2}", digits) or not LEAST <= int(digits) <= MOST:
        raise InvalidInput(Fault("percent", _("Enter a number of percent from %(least)d to %(most)d.",
                                              least=LEAST, most=MOST)))  # fmt: skip
    return int(digits)
