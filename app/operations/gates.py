"""Pausing and resuming a channel or a push host. Each act is written down."""

from flask_babel import gettext as _

from app import audit
from app.audit import Actor
from app.faults import Fault, InvalidInput
from app.outbox import gates
from app.transaction import Transaction

SUBJECT = "gate"
LONGEST_WHY = 300


def pause(tx: Transaction, actor: Actor, key: str, why: str) -> bool:
    """Let nothing through until it is resumed; False if it was paused already. Raises InvalidInput."""
    check_key(key)
    if len(why) > LONGEST_WHY:
        raise InvalidInput(Fault("why", _("Write at most %(number)d characters.", number=LONGEST_WHY)))
    done = gates.pause(tx, key, why)
    if done:
        audit.note(tx, actor, "pause_gate", (SUBJECT, 0), {"gate": key, "why": why})
    return done


def resume(tx: Transaction, actor: Actor, key: str) -> bool:
    """Let everything through at once, whoever closed it; False if it was open. Raises InvalidInput."""
    check_key(key)
    done = gates.resume(tx, key)
    if done:
        audit.note(tx, actor, "resume_gate", (SUBJECT, 0), {"gate": key})
    return done


def check_key(key: str) -> None:
    """Raises InvalidInput for what is no gate."""
    channel, _colon, host = key.partition(":")
    if key != "line" and not (channel == "web_push" and host and not host.isspace()):
        raise InvalidInput(Fault("gate", _("A gate is line, or web_push: and the host of a push service.")))
