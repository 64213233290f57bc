"""The words of a published shift table, as LINE shows them to a group."""

from datetime import date

from babel.dates import format_date
from flask_babel import force_locale
from flask_babel import gettext as _

from app.channels.line.flex import FlexMessage, box, bubble, button, text
from app.channels.line.limits import ALT_TEXT, LABEL, cut
from app.sources.classroom.telling.messages import ACCENT, INK, MUTED


def table_message(month: date, classroom: str | None, updated: bool, url: str, language: str) -> FlexMessage:
    """ "Published" the first time that a group gets this month's table, "updated" from then on."""
    with force_locale(language):
        heading = _("The shift table was updated") if updated else _("The shift table is published")
        which = table_name(month, classroom, language)
        body = box(
            text(heading, size="sm", weight="bold", color=ACCENT),
            text(which, size="lg", weight="bold", color=INK),
            text(_("Open it to see every shift of the month."), size="sm", color=MUTED),
        )
        footer = box(button(cut(_("View the shift table"), LABEL), url))
        return FlexMessage(cut(f"{heading}: {which}", ALT_TEXT), bubble(body, footer))


def table_name(month: date, classroom: str | None, language: str) -> str:
    """Such as 2026年12月 渋谷, or December 2026, Shibuya; in the language of the moment."""
    pattern, between = ("y年M月", " ") if language == "ja" else ("MMMM y", ", ")
    name = format_date(month, pattern, locale=language)
    return f"{name}{between}{classroom}" if classroom else name
