"""The words of alerts: what is wrong, and what to do about it."""

from flask_babel import gettext as _
from flask_babel import ngettext

from app import pulse
from app.codes import FAILURES, FailureCode, Words
from app.kinds import Description
from app.sources.alerts.models import Alert, Sort


def began(alert: Alert) -> Description:
    """Something is wrong."""
    match Sort(alert.sort):
        case Sort.FAILURE:
            words = _words_of(alert.about)
            title = ngettext("%(num)d delivery failed: %(code)s", "%(num)d deliveries failed: %(code)s", alert.number,
                             code=alert.about)  # fmt: skip
            body = f"{words.cause} {words.next_step}" if words else ""
        case Sort.TRIES_EXHAUSTED:
            title = ngettext("%(num)d delivery has used up its tries", "%(num)d deliveries have used up their tries",
                             alert.number)  # fmt: skip
            body = _("Look at why they failed, mend it, then retry them.")
        case Sort.SCAN_SILENT:
            title = _("“%(scan)s” has not run when it should have", scan=_scan(alert.about))
            body = _("What it looks for waits until it runs again. Check the workers and the clock.")
        case Sort.WORKERS_SILENT:
            title = _("No worker is running")
            body = _("Only what is urgent goes out, through the clock. Start the workers again.")
    return Description(title, body, _path(alert))


def over(alert: Alert) -> Description:
    """It is right again."""
    match Sort(alert.sort):
        case Sort.FAILURE:
            title = _("No delivery stands failed with %(code)s any more", code=alert.about)
        case Sort.TRIES_EXHAUSTED:
            title = _("No delivery stands failed for want of tries any more")
        case Sort.SCAN_SILENT:
            title = _("“%(scan)s” runs again", scan=_scan(alert.about))
        case Sort.WORKERS_SILENT:
            title = _("Workers are running again")
    return Description(title, "", _path(alert))


def _words_of(code: str) -> Words | None:
    return FAILURES[FailureCode(code)] if code in tuple(FailureCode) else None


def _scan(name: str) -> str:
    return str(pulse.SCAN_NAMES.get(name, name))


def _path(alert: Alert) -> str:
    match Sort(alert.sort):
        case Sort.FAILURE:
            return f"/deliveries?state=failed&code={alert.about}"
        case Sort.TRIES_EXHAUSTED:
            return "/deliveries?state=failed"
        case _:
            return "/overview"
