"""Instants as elements of a page. A list has a hundred of them, and as macros of templates they took three times as
long."""

from datetime import datetime

from markupsafe import Markup

from app import i18n


def iso(instant: datetime) -> str:
    """For programs: 2026-11-30T08:05:12Z."""
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")


def relative_time(instant: datetime) -> Markup:
    """How long ago or off, which grows with time; the exact instant as its title."""
    language = i18n.language()
    exact = i18n.exact(instant, language)
    return _element(instant, i18n.relative(instant, language), f' title="{exact}" data-relative')


def moment_time(instant: datetime) -> Markup:
    """The day and the time of day; the exact instant as its title."""
    language = i18n.language()
    return _element(instant, i18n.moment(instant, language), f' title="{i18n.exact(instant, language)}"')


def exact_time(instant: datetime) -> Markup:
    """To the second and with its zone, for comparing with logs."""
    return _element(instant, i18n.exact(instant, i18n.language()))


def _element(instant: datetime, said: str, more: str = "") -> Markup:
    # Neither language nor any zone writes instants with anything that would have to be escaped.
    return Markup(f'<time datetime="{iso(instant)}"{more}>{said}</time>')  # noqa: S704
