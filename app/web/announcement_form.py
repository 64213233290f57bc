"""The form of an announcement: what is typed into it, and the page that shows it."""

from collections.abc import Collection, Mapping

from flask import render_template
from flask_babel import gettext as _

from app import tokens
from app.config import LANGUAGES
from app.faults import Fault, InvalidInput
from app.sources.announcements.fields import LONGEST_BODY, LONGEST_TITLE, Fields, Text
from app.sources.announcements.listing import AnnouncementLine
from app.sources.announcements.models import Audience
from app.web import words
from app.web.announcement import about
from app.web.forms import by_field

FIELDS = (*(f"{part}_{language}" for language in LANGUAGES for part in ("title", "body")), "fallback", "audience")
EMPTY = dict.fromkeys(FIELDS, "") | {"audience": Audience.EVERYONE}


def fields_of(typed: Mapping[str, str]) -> Fields:
    """What was typed, as the source wants it: a language in which nothing is typed is not written.

    Raises InvalidInput for a choice that the form does not offer.
    """
    choices = {"fallback": words.FALLBACKS, "audience": words.AUDIENCES}
    faults = [Fault(name, _("Choose one of the list.")) for name, known in choices.items() if typed[name] not in known]
    if faults:
        raise InvalidInput(*faults)
    texts = {language: Text(typed[f"title_{language}"], typed[f"body_{language}"]) for language in LANGUAGES}
    written = {language: text for language, text in texts.items() if text.title or text.body}
    return Fields(written, typed["fallback"] or None, Audience(typed["audience"]))


def typed_of(fields: Fields) -> dict[str, str]:
    """What stands in the form of an announcement as it is now."""
    texts = {language: fields.texts.get(language, Text("", "")) for language in LANGUAGES}
    titles = {f"title_{language}": text.title for language, text in texts.items()}
    bodies = {f"body_{language}": text.body for language, text in texts.items()}
    return titles | bodies | {"fallback": fields.fallback or "", "audience": fields.audience}


def form(
    typed: Mapping[str, str],
    line: AnnouncementLine | None = None,
    faults: Collection[Fault] = (),
    *,
    seen: int | None = None,
    anew: bool = False,
) -> str:
    """The page, of a new announcement or of `line`; `seen` is the revision that its reader began with."""
    return render_template(
        "announcements/form.html",
        typed=typed,
        line=line,
        seen=seen or (line.revision if line else None),
        anew=anew,
        most_title=LONGEST_TITLE,
        most_body=f"{LONGEST_BODY:,}",
        faults=by_field(faults),
        request_id=tokens.request_id(),
        **(about(line) if line else {"words": words}),
    )
