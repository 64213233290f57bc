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
            title = ngettext("%(num)d delivery failed", "%(num)d deliveries failed", alert.number)
            body = f"{words.cause} {words.next_step} ({alert.about})" if words else alert.about
        case Sort.TRIES_EXHAUSTED:
            title = ngettext("%(num)d delivery has used up its tries", "%(num)d deliveries have used up their tries",
                             alert.number)  # fmt: skip
            body = _("Look at why they failed, mend it, then retry them.")
        case Sort.SCAN_SILENT:
            title = _("“%(scan)s” has not run when it should have", scan=_scan(alert.about))
            body = _("What it looks for waits until it runs again. Check the workers and the clock.")
        case Sort.GATE_CLOSED:
            title = _("Sending to %(gate)s is on hold", gate=_gate(alert.about))
            body = _("Several deliveries in a row met an error there. What waits loses no try; one is let through "
                     "after a while, and when it is accepted all the others follow.")  # fmt: skip
        case Sort.WORKERS_SILENT:
            title = _("No worker is running")
            body = _("Only what is urgent goes out, through the clock. Start the workers again.")
    return Description(title, body, _path(alert))


def over(alert: Alert) -> Description:
    """It is right again."""
    match Sort(alert.sort):
        case Sort.FAILURE:
            words = _words_of(alert.about)
            cause = f"{words.cause} ({alert.about})" if words else alert.about
            title = _("No failed deliveries are left for this reason")
            reason = _("The reason was: %(cause)s", cause=cause)
            body = f"{reason} {_not_counted()}"
        case Sort.TRIES_EXHAUSTED:
            title = _("No deliveries are left that used up their tries")
            body = _not_counted()
        case Sort.SCAN_SILENT:
            title = _("“%(scan)s” runs again", scan=_scan(alert.about))
            body = _("What waited for it is looked for again.")
        case Sort.GATE_CLOSED:
            title = _("Sending to %(gate)s goes on", gate=_gate(alert.about))
            body = _("What waited goes out now.")
        case Sort.WORKERS_SILENT:
            title = _("Workers are running again")
            body = _("What waited goes out now.")
    return Description(title, body, _path(alert))


def _not_counted() -> str:
    return str(_("Failures older than a day no longer count."))


def _words_of(code: str) -> Words | None:
    return FAILURES[FailureCode(code)] if code in tuple(FailureCode) else None


def _scan(name: str) -> str:
    return str(pulse.SCAN_NAMES.get(name, name))


def _gate(key: str) -> str:
    return key.partition(":")[2] or "LINE"


def _path(alert: Alert) -> str:
    match Sort(alert.sort):
        case Sort.FAILURE:
            return f"/deliveries?state=failed&code={alert.about}"
        case Sort.TRIES_EXHAUSTED:
            return "/deliveries?state=failed"
        case _:
            return "/overview"
