"""The Flask extensions, and the way to Redis."""

from typing import Any

from flask import Flask
from flask_babel import Babel
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_login import LoginManager
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer
from sqlalchemy.exc import InterfaceError, OperationalError

from app.clock import monotonic
from app.columns import Base

CONNECT_TIMEOUT = 0.5
READ_TIMEOUT = 1.0
"""Seconds, without retries: whoever only rings the doorbell does not wait for a Redis that is not there."""

SKIP_AFTER_FAILURE = 5.0
"""Seconds for which a process does not ask again after Redis failed it."""


class Broker:
    """The way to Redis: one short-tempered connection pool for ringing, and queues that speak JSON."""

    def __init__(self) -> None:
        self.url = ""
        self.redis: Redis = Redis()
        self._skip_until = 0.0

    def init_app(self, _app: Flask, url: str) -> None:
        """Take the address; nothing is connected before it is needed."""
        self.url = url
        self.redis = Redis.from_url(
            url,
            socket_connect_timeout=CONNECT_TIMEOUT,
            socket_timeout=READ_TIMEOUT,
            retry=Retry(NoBackoff(), 0),
        )
        self._skip_until = 0.0

    def for_worker(self) -> Redis:
        """A connection that may block for long, as a worker's must."""
        return Redis.from_url(self.url, socket_connect_timeout=CONNECT_TIMEOUT)

    def queue(self, name: str, connection: Redis | None = None) -> Queue:
        """The RQ queue of that name; jobs are JSON, never pickles."""
        return Queue(name, connection=connection or self.redis, serializer=JSONSerializer)

    def skipped(self) -> bool:
        """True while a failure is so recent that asking again would only cost time."""
        return monotonic() < self._skip_until

    def failed(self) -> None:
        """Note that Redis did not answer."""
        self._skip_until = monotonic() + SKIP_AFTER_FAILURE

    def answers(self) -> bool:
        """Ask Redis for one small write; the answer also ends or begins the skipping.

        Not a PING: a Redis that is full or read-only answers one, and takes nothing.
        """
        try:
            self.redis.set("todoke:asked", 1, ex=60)
        except REDIS_FAULTS:
            self.failed()
            return False
        self._skip_until = 0.0
        return True


REDIS_FAULTS = (RedisError,)
"""Away, silent, still loading, out of memory or read-only: for whoever rings, all the same."""

DATABASE_FAULTS = (OperationalError, InterfaceError)
"""Away, locked, slow or full."""

db = SQLAlchemy(model_class=Base)
migrate = Migrate(directory="migrations", render_as_batch=True)
login = LoginManager()
login.session_protection = None  # a session ends in the database; a new address of a phone ends nothing
csrf = CSRFProtect()
limiter = Limiter(get_remote_address)
babel = Babel()
broker = Broker()


def limiter_storage(redis_url: str) -> str:
    """The same Redis in the spelling of `limits`, which writes a unix socket as `redis+unix://`."""
    return redis_url.replace("unix://", "redis+unix://", 1) if redis_url.startswith("unix://") else redis_url


def engine_options(database_url: str) -> dict[str, Any]:
    """How the database is connected to. A failing statement is logged with its text, never with the values in it.

    psycopg would prepare a statement that comes a fifth time, and PostgreSQL then goes through a long list of values
    one by one: measured 290 ms instead of 4 for 1,000 values among 20,000 rows.
    """
    options: dict[str, Any] = {"hide_parameters": True, "pool_pre_ping": True}
    if database_url.startswith("postgresql"):
        options["connect_args"] = {"prepare_threshold": None}
    return options
