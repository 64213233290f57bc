"""What inboxes, lock screens and LINE say of stores and reports, in the language that is in force."""

from collections.abc import Collection

from babel.lists import format_list
from flask_babel import LazyString, get_locale
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.kinds import Description
from app.sources.stores.models import Saying

SETUP: dict[str, LazyString] = {
    "address": _l("Address"),
    "phone": _l("Phone number"),
    "hours": _l("Opening hours"),
}
"""What has to be known of a store until it is set up, by its column."""

EXCERPT = 120
"""Characters of a description that a notification shows."""


def guidance(store_id: int, store: str, missing: Collection[str]) -> Description:
    """What is still to be set up at a store."""
    path = f"/stores/{store_id}"
    if not missing:
        return Description(_("%(store)s is set up", store=store), _("Everything is there."), path)
    names = format_list([str(SETUP[one]) for one in missing], style="unit", locale=get_locale() or "en")
    return Description(_("Set up %(store)s", store=store), _("Still missing: %(names)s", names=names), path)


def opened(report_id: int, title: str, store: str, description: str, resolved: bool) -> Description:
    """A fault was reported."""
    heading = (
        _("Reported and resolved: %(title)s", title=title) if resolved else _("New report: %(title)s", title=title)
    )
    text = _("%(store)s: %(description)s", store=store, description=_excerpt(description))
    return Description(heading, text, f"/reports/{report_id}")


def reaction(report_id: int, title: str, store: str, who: str, says: Saying) -> Description:
    """Somebody said something to a report."""
    if says is Saying.ME_TOO:
        heading = _("%(who)s has this too: %(title)s", who=who, title=title)
    else:
        heading = _("Works again for %(who)s: %(title)s", who=who, title=title)
    return Description(heading, store, f"/reports/{report_id}")


def resolved(report_id: int, title: str, store: str, still: bool) -> Description:
    """A report was resolved; `still` is False when it was opened again since."""
    if still:
        heading, text = _("Resolved: %(title)s", title=title), _("%(store)s has resolved your report.", store=store)
    else:
        heading = _("Open again: %(title)s", title=title)
        text = _("%(store)s has opened your report again.", store=store)
    return Description(heading, text, f"/reports/{report_id}")


def _excerpt(description: str) -> str:
    line = " ".join(description.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"
