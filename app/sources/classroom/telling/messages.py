"""The words of reminders and corrections, as LINE shows them; in the reader's language, from values just read."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from flask_babel import force_locale
from flask_babel import gettext as _

from app.channels.line.flex import FlexMessage, Part, box, bubble, separator, text
from app.channels.line.limits import ALT_TEXT, cut
from app.clock import now
from app.i18n import day, time, zone
from app.sources.classroom.telling.plans import Owed

TWO_HOURS = timedelta(hours=1, minutes=45), timedelta(hours=2, minutes=15)
"""How long before the start "in 2 hours" is true enough to be said."""

NAME_IN_LIST = 80
"""UTF-16 units of each name in the list of chats, which shows two lines. Two names and the times stay within LINE's
limit on that text."""

INK, MUTED, ACCENT = "#1f2430", "#5c6270", "#27408b"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a message says of a shift."""

    tutor: str
    classroom: str
    starts_at: datetime
    ends_at: datetime


def reminder(facts: Facts, language: str) -> FlexMessage:
    """The reminder of one shift."""
    with force_locale(language):
        soon = _starts_in_two_hours(facts.starts_at)
        heading = _("Your shift starts in 2 hours") if soon else _("Reminder of your shift")
        alt_text = _("%(heading)s: %(summary)s", heading=heading, summary=summary(facts, language))
        return FlexMessage(alt_text, bubble(_card(heading, facts, language)))


def correction(before: Facts | None, after: Facts | None, language: str) -> FlexMessage:
    """What somebody was told of a shift, and what holds now; None where it is not theirs, or off."""
    with force_locale(language):
        heading = _correction_heading(before, after)
        told = [summary(facts, language) for facts in (before, after) if facts]
        alt_text = _("%(heading)s: %(summary)s", heading=heading, summary=" → ".join(told))
        return FlexMessage(cut(alt_text, ALT_TEXT), bubble(_comparison(heading, before, after, language)))


def title(kind: str) -> str:
    """What a message of this kind is called in lists, in the language of the moment."""
    return str(_("Shift correction") if kind == Owed.CORRECTION else _("Shift reminder"))


def summary(facts: Facts, language: str) -> str:
    """One line: when, where and whose."""
    when = _("%(day)s, %(hours)s", day=day(facts.starts_at, language), hours=hours(facts))
    classroom, tutor = cut(facts.classroom, NAME_IN_LIST), cut(facts.tutor, NAME_IN_LIST)
    return str(_("%(when)s, %(classroom)s (%(tutor)s)", when=when, classroom=classroom, tutor=tutor))


def hours(facts: Facts) -> str:
    """From when to when; an end on the next day says so."""
    start, end = time(facts.starts_at), time(facts.ends_at)
    if _local_date(facts.ends_at) == _local_date(facts.starts_at):
        return f"{start}–{end}"
    return str(_("%(start)s–%(end)s (next day)", start=start, end=end))


def _starts_in_two_hours(starts_at: datetime) -> bool:
    shortest, longest = TWO_HOURS
    return shortest <= starts_at - now() <= longest


def _correction_heading(before: Facts | None, after: Facts | None) -> str:
    if after is None:
        return str(_("Your shift is off"))
    return str(_("Your shift has changed") if before else _("Your shift is on again"))


def _comparison(heading: str, before: Facts | None, after: Facts | None, language: str) -> Part:
    """Old and new side by side; what no longer holds is struck through."""
    columns, tutor = [], ""
    if before is not None:
        label, tutor = _("Before") if after else _("Off"), before.tutor
        columns.append(_column(label, before, language, color=MUTED, decoration="line-through"))
    if after is not None:
        tutor = after.tutor
        columns.append(_column(_("Now"), after, language, color=INK))
    return box(
        text(heading, weight="bold", size="sm", color=ACCENT),
        box(*columns, layout="horizontal"),
        separator(),
        _row(_("Tutor"), tutor),
    )


def _column(label: str, facts: Facts, language: str, **look: str | int) -> Part:
    return box(
        text(label, size="xs", color=MUTED),
        text(day(facts.starts_at, language), size="sm", **look),
        text(hours(facts), size="md", weight="bold", **look),
        text(facts.classroom, size="sm", **look),
        spacing="xs",
    )


def _card(heading: str, facts: Facts, language: str) -> Part:
    return box(
        text(heading, weight="bold", size="sm", color=ACCENT),
        box(
            text(day(facts.starts_at, language), size="md", color=INK),
            text(hours(facts), weight="bold", size="xl", color=INK),
            spacing="xs",
        ),
        separator(),
        box(_row(_("Classroom"), facts.classroom), _row(_("Tutor"), facts.tutor), spacing="sm"),
    )


def _row(label: str, value: str) -> Part:
    return box(
        text(label, size="sm", color=MUTED, flex=3),
        text(value, size="sm", color=INK, flex=7),
        layout="baseline",
    )


def _local_date(instant: datetime) -> date:
    return instant.astimezone(zone()).date()
