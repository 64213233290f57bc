"""Watches as a page shows them: plain values in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from flask_babel import gettext as _

from app.clock import now
from app.i18n import language, moment
from app.names import called
from app.outbox.state import WAITING, State
from app.sources.prices.listing import Seen, Told, WatchLine, histories_of
from app.sources.prices.messages import money, why
from app.sources.prices.models import Trigger
from app.sources.prices.shops.pace import host_of
from app.sources.prices.triggers import Offer, Wish, holds, limit
from app.web.price_plot import Plot, plot
from app.web.watch_words import FAILED, FAILED_SOMEHOW, NOT_SENT, NOT_SENT_SOMEHOW, Standing

STEPS_IN_LIST = 30
"""Readings behind the small picture of a list."""


@dataclass(frozen=True, slots=True)
class WatchRow:
    """One watch. `price` is what was last read, also of what nobody can buy now; `why` it cannot be read.

    `where` tells it from others: its host or, while nobody has read what it is, its address. `scale` are the amounts at
    the top and the bottom of the picture, one where there is but one.
    """

    id: int
    title: str
    url: str
    host: str
    where: str
    price: str | None
    read_at: datetime | None
    waits_for: str
    standing: Standing
    why: str
    besides: str
    """What a reader might wonder at: no message although it is as they wish, or no answer."""
    told: str
    paused: bool
    created_at: datetime
    plot: Plot | None
    plot_says: str
    scale: Sequence[str]


@dataclass(frozen=True, slots=True)
class SeenRow:
    """One line of the table behind the picture."""

    at: datetime
    says: str


@dataclass(frozen=True, slots=True)
class ToldRow:
    """One delivery of a watch, and in a sentence what it said or why it was not sent."""

    id: int
    at: datetime
    state: State
    to: str
    channel: str
    says: str


def rows(lines: Sequence[WatchLine]) -> list[WatchRow]:
    """All of them in one go, each with a small picture of its newest prices."""
    histories = histories_of([line.item_id for line in lines], STEPS_IN_LIST)
    return [row(line, histories[line.item_id]) for line in lines]


def row(line: WatchLine, seen: Sequence[Seen]) -> WatchRow:
    """One of them, with this history."""
    standing = _standing(line)
    drawn = plot(seen, max(now(), seen[-1].at), limit(line.wish)) if seen else None
    return WatchRow(
        id=line.id,
        title=line.title,
        url=line.url,
        host=host_of(line.url),
        where=where(line.url, line.title),
        price=None if line.price is None else amount(line.price, line.currency),
        read_at=line.read_at,
        waits_for=waits_for(line.wish, line.currency),
        standing=standing,
        why=_why_not(line),
        besides=_besides(line, standing),
        told=_told(line.wish, line.currency),
        paused=line.paused_at is not None,
        created_at=line.created_at,
        plot=drawn,
        plot_says=_plot_says(drawn, line.currency) if drawn else "",
        scale=_scale(drawn, line.currency) if drawn else (),
    )


def seen_rows(seen: Sequence[Seen], currency: str | None) -> list[SeenRow]:
    """The readings in words, the newest first."""
    return [SeenRow(one.at, _seen_says(one, currency)) for one in reversed(seen)]


def told_rows(told: Sequence[Told]) -> list[ToldRow]:
    """What became of each delivery, the newest first."""
    return [
        ToldRow(
            id=one.delivery_id,
            at=one.finished_at or one.created_at,
            state=State(one.state),
            to=called(one.address_label),
            channel=one.channel,
            says=_told_says(one),
        )
        for one in told
    ]


def where(url: str, title: str) -> str:
    """Where it is sold: the host, or the whole address where its title is no more than that."""
    host = host_of(url)
    return host if title != host else url.partition("://")[2].removesuffix("/")


def amount(value: Decimal, currency: str | None) -> str:
    """An amount as the reader writes it; bare where nobody has read yet in which currency."""
    return money(value, currency) if currency else f"{value.normalize():f}"


def waits_for(wish: Wish, currency: str | None) -> str:
    """What a watch waits for, in words."""
    match wish.trigger:
        case Trigger.BELOW_TARGET:
            return str(_("%(price)s or less", price=amount(wish.target or Decimal(0), currency)))
        case Trigger.PERCENT_DROP if wish.baseline is None:
            return str(_("%(percent)d%% less than the first price that is read", percent=wish.percent or 0))
        case Trigger.PERCENT_DROP:
            before = amount(wish.baseline or Decimal(0), currency)
            return str(_("%(percent)d%% less than %(before)s", percent=wish.percent or 0, before=before))
        case Trigger.BACK_IN_STOCK:
            return str(_("Back in stock"))


def _standing(line: WatchLine) -> Standing:
    if line.paused_at is not None:
        return Standing.PAUSED
    if line.unreadable_since is not None:
        return Standing.UNREADABLE
    if line.silent_since is not None:
        return Standing.SILENT
    if line.read_at is None:
        return Standing.UNREAD
    if not line.in_stock:
        return Standing.OUT_OF_STOCK
    is_told = line.wish.told_at is not None and line.wish.false_since is None
    # What is wished may have changed since the last look.
    still = holds(line.wish, Offer(line.price, in_stock=True))
    return Standing.TOLD if is_told and still else Standing.WAITING


def _told(wish: Wish, currency: str | None) -> str:
    if wish.told_at is None or wish.told_price is None:
        return ""
    return str(_("%(price)s, %(time)s", price=amount(wish.told_price, currency), time=moment(wish.told_at, language())))


def _plot_says(drawn: Plot, currency: str | None) -> str:
    lowest, highest = amount(drawn.lowest, currency), amount(drawn.highest, currency)
    since = moment(drawn.first_at, language())
    return str(_("From %(lowest)s to %(highest)s since %(since)s", lowest=lowest, highest=highest, since=since))


def _scale(drawn: Plot, currency: str | None) -> Sequence[str]:
    bounds = (drawn.top, drawn.bottom) if drawn.top > drawn.bottom else (drawn.top,)
    return [amount(one, currency) for one in bounds]


def _seen_says(one: Seen, currency: str | None) -> str:
    if one.price is not None:
        return amount(one.price, currency)
    return why(one.why) or str(_("Out of stock"))


def _why_not(line: WatchLine) -> str:
    if line.silent_since is None:
        return why(line.unreadable_why)
    return str(_("The shop has given no answer since %(time)s.", time=moment(line.silent_since, language())))


def _besides(line: WatchLine, standing: Standing) -> str:
    if standing in (Standing.PAUSED, Standing.UNREADABLE, Standing.SILENT):
        return ""
    if line.unanswered:
        return str(_("The shop gave no answer when it was last asked. It is asked again by itself."))
    is_so = standing is Standing.WAITING and holds(line.wish, Offer(line.price, in_stock=True))
    if is_so and line.found_today:
        return str(_("It is as you wish, but there is one message a day at most. If it still is tomorrow, "
                     "you are told then."))  # fmt: skip
    return ""


def _told_says(one: Told) -> str:
    if one.state == State.SENT:
        if one.price is None or one.read_at is None:
            return ""
        said = amount(one.price, one.currency)
        return str(_("It said %(price)s, as of %(time)s.", price=said, time=moment(one.read_at, language())))
    if one.state == State.CANCELED:
        return f"{NOT_SENT.get(one.reason, NOT_SENT_SOMEHOW)} {one.detail or ''}".strip()
    cause = str(FAILED.get(one.reason, FAILED_SOMEHOW)) if one.reason else ""
    if one.state not in WAITING or one.next_attempt_at is None or one.next_attempt_at <= now():
        return cause
    return str(
        _("%(cause)s It goes on at %(time)s.", cause=cause, time=moment(one.next_attempt_at, language()))
    ).strip()
