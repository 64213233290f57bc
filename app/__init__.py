"""Todoke: notifications that are still true when they arrive, and arrive once.

The map of the house, from the ground up; arrows point down only (tests/test_architecture.py holds it so):

    clock config tokens vapid columns extensions transaction http bounds codes faults names once place i18n retry_after
    audit pulse schema logs kinds        the ground; kinds is THE CONTRACT between sources and everybody else
    accounts            WHO
    outbox              WHAT IS OWED: a passive ledger
    channels            HOW TO SPEAK: LINE, Web Push
    reach               WHERE: addresses, resolved at the moment of sending
    inbox               WHAT A PERSON SEES: notifications, and who may read them now
    engine              THE SENDING: claim → recheck → begin → send → record
    sources             WHY: one folder each
    operations          WHAT PEOPLE MAY DO TO THE LEDGER, and what changes accounts, devices and ledger as one
    background          what workers run, and the clock
    web, cli            WHO LOOKS
    sandbox             stand-ins for LINE, a push service and a shop; stands apart
    start               what `make run` does
"""

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import cli, i18n, logs, sources, transaction, vapid, web
from app.accounts.sessions import load
from app.background import timetable
from app.channels import CHANNELS
from app.channels.line import LineChannel
from app.channels.web_push import WebPushChannel
from app.channels.web_push.doors import Doors
from app.config import ROOT, Settings, push_key, read_settings, signing_key
from app.engine import handover
from app.extensions import (
    CONNECT_TIMEOUT,
    READ_TIMEOUT,
    broker,
    csrf,
    db,
    engine_options,
    limiter,
    limiter_storage,
    login,
    migrate,
)  # fmt: skip


def create_app(settings: Settings | None = None, *, pages: bool = True) -> Flask:
    """The application, ready for requests, commands and jobs. Raises ConfigurationError for a faulty environment.

    Without `pages` it answers no request: workers and the clock need none, and their routes take 0.15 s to compile.
    """
    settings = settings or read_settings()
    app = Flask("app", root_path=str(ROOT))
    app.config.update(
        SETTINGS=settings,
        SECRET_KEY=signing_key(settings),
        SQLALCHEMY_DATABASE_URI=settings.database_url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(settings.database_url),
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=settings.base_url.startswith("https://"),
        MAX_CONTENT_LENGTH=8 * 1024 * 1024,
        WTF_CSRF_TIME_LIMIT=None,  # a dashboard left open over lunch must still work
        RATELIMIT_STORAGE_URI=limiter_storage(settings.redis_url),
        RATELIMIT_STORAGE_OPTIONS={"socket_connect_timeout": CONNECT_TIMEOUT, "socket_timeout": READ_TIMEOUT},
        RATELIMIT_IN_MEMORY_FALLBACK_ENABLED=True,
        RATELIMIT_STRATEGY="fixed-window",
    )
    if settings.trusted_proxies:
        # Without it every visitor would seem to come from the proxy, and share its limits.
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    logs.hide_tokens()
    _connect(app, settings)
    sources.register(settings)
    timetable.register()
    if pages:
        web.register(app)
    cli.register(app)
    return app


def _connect(app: Flask, settings: Settings) -> None:
    db.init_app(app)
    migrate.init_app(app, db)
    broker.init_app(app, settings.redis_url)
    for extension in (login, csrf, limiter):
        extension.init_app(app)
    login.user_loader(load)
    i18n.init_app(app, settings)
    doors = Doors(settings.push_hosts, settings.reaches_loopback)
    app.config["VAPID_PUBLIC_KEY"] = vapid.public_key(push_key(settings))
    CHANNELS["web_push"] = WebPushChannel(push_key(settings), settings.push_subject, doors)
    CHANNELS["line"] = LineChannel(settings.line_base, settings.line_token, site=settings.base_url)
    with app.app_context():
        transaction.init_app(app, db.engine, handover.after_commit)
