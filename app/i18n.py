"""Which language a reader gets, and how instants are written in it."""

from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import TIMEDELTA_UNITS, format_date, format_timedelta
from babel.support import NullTranslations
from babel.units import format_unit
from flask import Flask, current_app, has_request_context, request
from flask_babel import Domain, force_locale, get_locale
from flask_login import current_user

from app.clock import now
from app.config import LANGUAGES, Settings
from app.extensions import babel

COOKIE = "language"
_KEPT = "todoke.language"

_PATTERNS = {
    "ja": {"day": "M月d日(E)", "year": "y年", "both": "{day} {time}"},
    "en": {"day": "EEE d MMM", "year": " y", "both": "{day}, {time}"},
}


def init_app(app: Flask, settings: Settings) -> None:
    """Choose the language of each request; the source strings are English, their translations Japanese."""
    translations = f"{app.root_path}/app/translations"
    app.config.update(BABEL_DEFAULT_LOCALE="en", BABEL_TRANSLATION_DIRECTORIES=translations)
    babel.init_app(app, locale_selector=language, timezone_selector=lambda: settings.timezone)
    babel.domain_instance = catalogues = _Catalogues()
    # Of the hundreds of words of a page, Flask-Babel asks for each anew in which language it is.
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # by the extension that Flask-Babel adds
        lambda word: catalogues.of(language()).gettext(word),
        lambda one, many, number: catalogues.of(language()).ngettext(one, many, number),
        newstyle=True,
    )
    # Straight to it: Jinja's own `_` looks for `gettext` in the template's context, for each word.
    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"]


class _Catalogues(Domain):  # type: ignore[misc]  # Flask-Babel has no types
    """Flask-Babel's own, but kept by language: finding one takes many times as long as finding a word in it."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[str, NullTranslations] = {}

    def get_translations(self) -> NullTranslations:
        """That of the language in force; an empty one outside the app."""
        locale = get_locale()
        return super().get_translations() if locale is None else self.of(locale.language)

    def of(self, language: str) -> NullTranslations:
        """That of this language, whichever is in force."""
        if language not in self._kept:
            with force_locale(language):
                self._kept[language] = super().get_translations()
        return self._kept[language]


def language() -> str:
    """The reader's language: the account's, else the one chosen on this browser, else the browser's, else Japanese.

    Outside a request (the command line, jobs) it is English; messages are written in their reader's language.
    """
    if not has_request_context():
        return "en"
    # Kept for the request: a page asks once for each time that it writes.
    kept: str = request.environ.get(_KEPT) or request.environ.setdefault(_KEPT, _of_the_reader())
    return kept


def _of_the_reader() -> str:
    if current_user and current_user.is_authenticated:
        return str(current_user.language)
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def zone() -> ZoneInfo:
    """The zone in which this installation shows and reads times."""
    settings: Settings = current_app.config["SETTINGS"]
    return settings.zone


def day(instant: datetime, language: str) -> str:
    """The local day with its day of the week, and the year if it is another: 11月30日(月), Mon 30 Nov."""
    return _day(instant.astimezone(zone()), language)


def _day(local: datetime, language: str) -> str:
    return _written_day(local.date(), language, with_year=local.year != now().astimezone(local.tzinfo).year)


@lru_cache(maxsize=1024)
def _written_day(local: date, language: str, *, with_year: bool) -> str:
    # Kept, since a list names few days and names them often: Babel takes longer for one than all else of its row.
    pattern = _PATTERNS[language]["day"]
    if with_year:
        year = _PATTERNS[language]["year"]
        pattern = year + pattern if language == "ja" else pattern + year
    return format_date(local, pattern, locale=language)


def time(instant: datetime) -> str:
    """The local time of day: 17:05."""
    return _minute(instant.astimezone(zone()))


def clock(instant: datetime) -> str:
    """The local time of day to the second: 17:05:12."""
    return _second(instant.astimezone(zone()))


def moment(instant: datetime, language: str) -> str:
    """The local day and time: 11月30日(月) 17:05, Mon 30 Nov, 17:05."""
    local = instant.astimezone(zone())
    return _PATTERNS[language]["both"].format(day=_day(local, language), time=_minute(local))


def exact(instant: datetime, language: str) -> str:
    """The local day, the time to the second and the zone: 11月30日(月) 17:05:12 JST."""
    local = instant.astimezone(zone())
    both = _PATTERNS[language]["both"].format(day=_day(local, language), time=_second(local))
    return f"{both} {local.tzname()}"


# strftime would take four times as long, hundreds of times a page.
def _minute(local: datetime) -> str:
    return f"{local.hour:02}:{local.minute:02}"


def _second(local: datetime) -> str:
    return f"{_minute(local)}:{local.second:02}"


def relative(instant: datetime, language: str) -> str:
    """How far off it is: 3分前, in 2 hours."""
    # Rounded first: 59.6 minutes are an hour, and few spans are left to be kept. `app.js` does the same.
    span = instant - now()
    seconds = abs(span.total_seconds())
    unit = next((length for _name, length in TIMEDELTA_UNITS if length <= seconds), 1)
    shown = timedelta(seconds=max(round(seconds / unit), 1 if seconds else 0) * unit)
    return _written_offset(-shown if span < timedelta(0) else shown, language)


def duration(span: timedelta, language: str) -> str:
    """How long it lasts, in one unit and never more than it is: 3時間, 59 minutes."""
    for name, unit in _UNITS:
        if span >= unit:
            return _written_span(span // unit, name, language)
    return _written_span(0, "second", language)


def within(span: timedelta, language: str) -> str:
    """A time that is not exceeded, in one unit and never less than it is: 3時間, 119 minutes, 1 second."""
    for name, unit in _UNITS:
        if span >= 2 * unit:
            return _written_span(-(-span // unit), name, language)
    return _written_span(max(1, -(-span // timedelta(seconds=1))), "second", language)


_UNITS = (
    ("day", timedelta(days=1)),
    ("hour", timedelta(hours=1)),
    ("minute", timedelta(minutes=1)),
    ("second", timedelta(seconds=1)),
)


@lru_cache(maxsize=1024)
def _written_offset(span: timedelta, language: str) -> str:
    return _spaced(format_timedelta(span, add_direction=True, threshold=1, locale=language), language)


@lru_cache(maxsize=1024)
def _written_span(number: int, unit: str, language: str) -> str:
    return _spaced(format_unit(number, f"duration-{unit}", locale=language), language)


def _spaced(written: str, language: str) -> str:
    return written.replace(" ", "") if language == "ja" else written
