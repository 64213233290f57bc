"""The words for what an author decides about an announcement, and for what was done with it."""

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.sources.announcements.models import Audience, Phase

ANNOUNCEMENT_ACTS_DONE: dict[str, LazyString] = {
    "add": _l("wrote it"),
    "change": _l("changed it"),
    "tell_anew": _l("changed it, and had everybody told again"),
    "publish": _l("published it"),
    "schedule": _l("chose when it is to be published"),
    "unschedule": _l("kept it as a draft"),
    "archive": _l("put it into the archive"),
}

PHASES: dict[Phase, LazyString] = {
    Phase.PUBLISHED: _l("Published"),
    Phase.DRAFT: _l("Draft"),
    Phase.ARCHIVED: _l("In the archive"),
}

AUDIENCES: dict[str, LazyString] = {
    Audience.EVERYONE: _l("Everybody"),
    Audience.STAFF: _l("Administrators and staff"),
    Audience.MEMBERS: _l("Members"),
}

FALLBACKS: dict[str, LazyString] = {
    "": _l("are not told"),
    "ja": _l("get the Japanese text"),
    "en": _l("get the English text"),
}
"""What becomes of those whose own language is not written."""
