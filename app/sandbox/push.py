"""LINE's API: push, quota and consumption."""

import sqlite3
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, g, jsonify, request

from app import clock
from app.sandbox import ids
from app.sandbox.answers import LIMIT_REACHED, ORDINARY, Answer, End, take_next
from app.sandbox.calls import Call, Fate, accepted_with, monthly_limit, record, used_this_month
from app.sandbox.checks import Push, Refused, check_no_retry_key, check_token, read_push
from app.sandbox.connection import cut, wait_until_given_up
from app.sandbox.store import store

api = Blueprint("api", __name__, url_prefix="/v2/bot/message")


@dataclass(frozen=True)
class Reply:
    """What a push is answered, and what became of its messages."""

    fate: Fate
    status: int | None
    body: dict[str, Any]
    accepted_by: str | None = None
    sent: tuple[dict[str, str], ...] = ()
    end: End = "reply"


@api.post("/push")
def push() -> Response:
    """Accept a push once for its retry key, and answer as LINE would or as a switch says."""
    asked = read_push(request)
    with store().writing() as db:
        answer = take_next(db)
        reply = _reply(db, asked, answer)
        record(db, _call(asked, reply, answer))
    return _deliver(reply)


@api.get("/quota")
def quota() -> Response:
    """The monthly limit."""
    check_no_retry_key(request)
    check_token(request)
    with store().reading() as db:
        return jsonify(type="limited", value=monthly_limit(db))


@api.get("/quota/consumption")
def consumption() -> Response:
    """How many messages this month has used."""
    check_no_retry_key(request)
    check_token(request)
    with store().reading() as db:
        return jsonify(totalUsage=used_this_month(db, clock.now()))


@api.errorhandler(Refused)
def _refuse(refusal: Refused) -> Response:
    return refused(refusal.status, refusal.body)


def refused(status: int, body: dict[str, Any]) -> Response:
    """Answer a request that never came to be a push, and keep it for the page."""
    asked = f"{request.method} {request.path}"[:200]
    key = request.headers.get("X-Line-Retry-Key", "")[:36] or None
    with store().writing() as db:
        record(db, Call(g.request_id, asked, "refused", clock.now(), status, says=_words(body), retry_key=key))
    return _json(status, body)


def _words(body: dict[str, Any]) -> str:
    details = [f"{detail['property']}: {detail['message']}" for detail in body.get("details", [])[:5]]
    return " · ".join([str(body.get("message", "")), *details])


def _reply(db: sqlite3.Connection, asked: Push, answer: Answer | None) -> Reply:
    if answer is None or answer.name == ORDINARY:
        return _ordinary(db, asked)
    said = {"message": answer.says} if answer.says else {}
    if not answer.accepts:
        return Reply("refused", answer.status, said, end=answer.end)
    ordinary = _ordinary(db, asked)
    if ordinary.fate == "refused":
        return ordinary
    return replace(ordinary, status=answer.status, body=said, accepted_by=None, end=answer.end)


def _ordinary(db: sqlite3.Connection, asked: Push) -> Reply:
    now = clock.now()
    earlier = accepted_with(db, asked.retry_key, now) if asked.retry_key else None
    if earlier:
        said = {"message": "The retry key is already accepted", "sentMessages": earlier.sent}
        return Reply("duplicate", 409, said, accepted_by=earlier.request_id, sent=earlier.sent)
    if used_this_month(db, now) >= monthly_limit(db):
        return Reply("refused", 429, {"message": LIMIT_REACHED})
    sent = tuple(ids.sent_message() for _ in asked.messages)
    return Reply("accepted", 200, {"sentMessages": sent}, sent=sent)


def _call(asked: Push, reply: Reply, answer: Answer | None) -> Call:
    return Call(
        request_id=g.request_id,
        asked=f"{request.method} {request.path}",
        fate=reply.fate,
        at=clock.now(),
        status=reply.status,
        says=_words(reply.body),
        recipient=asked.recipient,
        retry_key=asked.retry_key,
        switch=answer.name if answer else None,
        sent=reply.sent,
        messages=asked.messages,
    )


def _deliver(reply: Reply) -> Response:
    if reply.end == "silence":
        wait_until_given_up(request)
    if reply.status is None:
        cut(request)
        return Response(status=204)
    response = _json(reply.status, reply.body)
    if reply.accepted_by:
        response.headers["x-line-accepted-request-id"] = reply.accepted_by
    return response


def _json(status: int, body: dict[str, Any]) -> Response:
    response = jsonify(body)
    response.status_code = status
    return response
