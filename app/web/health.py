"""What machines ask: does this process live, and can it do its work?"""

from flask import Response, jsonify
from sqlalchemy.exc import SQLAlchemyError

from app import pulse, schema
from app.extensions import broker
from app.web.guards import EVERYONE, Pages

pages = Pages("health", open_to=EVERYONE)


@pages.get("/healthz")
def lives() -> Response:
    """This process answers; nothing else is asked."""
    return Response("ok\n", content_type="text/plain; charset=utf-8")


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """503 without a migrated database. Redis and the background are told but do not decide: pages work without."""
    database = _database()
    well = database == "ok"
    background = {role: len(pulse.living(role)) for role in ("worker", "clock")} if well else {}
    redis = "ok" if broker.answers() else "away"
    return jsonify(ready=well, database=database, redis=redis, background=background), 200 if well else 503


def _database() -> str:
    try:
        return "ok" if schema.is_current() else "not migrated"
    except SQLAlchemyError:
        return "away"
