"""Pausing and resuming a channel or a push host. Each act is written down."""

from flask_babel import gettext as _

from app import audit
from app.audit import Actor
from app.faults import Fault, InvalidInput
from app.operations.why import checked, noted
from app.outbox import gates
from app.transaction import Transaction

SUBJECT = "gate"
PAUSE, RESUME = "pause_gate", "resume_gate"


def pause(tx: Transaction, actor: Actor, key: str, why: str) -> bool:
    """Let nothing through until it is resumed; False if it was paused already. Raises InvalidInput."""
    check_key(key)
    done = gates.pause(tx, key, checked(why))
    if done:
        audit.note(tx, actor, PAUSE, (SUBJECT, 0), {"gate": key, **noted(why)})
    return done


def resume(tx: Transaction, actor: Actor, key: str) -> bool:
    """Let everything through at once, whoever closed it; False if it was open. Raises InvalidInput."""
    check_key(key)
    done = gates.resume(tx, key)
    if done:
        audit.note(tx, actor, RESUME, (SUBJECT, 0), {"gate": key})
    return done


def check_key(key: str) -> None:
    """Raises InvalidInput for what is no gate."""
    channel, _colon, host = key.partition(":")
    if key not in ("line", "web_push") and not (channel == "web_push" and host and not host.isspace()):
        raise InvalidInput(Fault("gate", _("A gate is line, web_push, or web_push: and the host of a push service.")))
