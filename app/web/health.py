"""What machines ask: does this process live, and can it do its work?"""

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Response, jsonify
from sqlalchemy.exc import SQLAlchemyError

from app import pulse
from app.extensions import broker, db, migrate
from app.web.guards import EVERYONE, Pages

pages = Pages("health", open_to=EVERYONE)


@pages.get("/healthz")
def lives() -> Response:
    """This process answers; nothing else is asked."""
    return Response("ok\n", content_type="text/plain; charset=utf-8")


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """503 without a migrated database. Redis and the background are told but do not decide: pages work without."""
    try:
        migrated, background = _migrated(), {role: len(pulse.living(role)) for role in ("worker", "clock")}
        database = "ok" if migrated else "not migrated"
    except SQLAlchemyError:
        database, background = "away", {}
    redis = "ok" if broker.answers() else "away"
    well = database == "ok"
    return jsonify(ready=well, database=database, redis=redis, background=background), 200 if well else 503


def _migrated() -> bool:
    written = ScriptDirectory.from_config(migrate.get_config()).get_heads()
    return set(MigrationContext.configure(db.session.connection()).get_current_heads()) == set(written)
