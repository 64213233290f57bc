"""Saying that this process lives."""

import logging
import os
import socket
from threading import Thread

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from app import pulse
from app.background import stop
from app.clock import now
from app.transaction import writing

EVERY = 10.0
"""Seconds between heartbeats; `pulse.SILENT_AFTER` forgives several."""

log = logging.getLogger(__name__)


def process_name(role: str) -> str:
    """This process's own name, such as `worker-shop1-4711`: letters, digits and dashes, as RQ wants them."""
    host = "".join(letter if letter.isalnum() else "-" for letter in socket.gethostname())
    return f"{role}-{host}-{os.getpid()}"


def beat_in_thread(app: Flask, role: str, queues: str) -> Thread:
    """Beat until this process is asked to end, then say goodbye. A thread: the main one may be waiting for LINE."""
    thread = Thread(target=_beat, args=(app, role, queues), name="heartbeat", daemon=True)
    thread.start()
    return thread


def _beat(app: Flask, role: str, queues: str) -> None:
    name, started_at = process_name(role), now()
    with app.app_context():
        while True:
            try:
                with writing() as tx:
                    pulse.beat(tx, name, role, queues, started_at)
            except SQLAlchemyError as error:
                log.warning("no heartbeat: %s", type(error).__name__)
            if stop.wait(EVERY):
                break
        with writing() as tx:
            pulse.stop(tx, name)
