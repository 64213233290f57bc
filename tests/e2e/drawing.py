"""Draws the pictures of docs/dashboard.md anew, from made-up data: `python -m tests.e2e.drawing`.

An outage of LINE four hours ago, half of it repaired: what an administrator sees, in both languages and themes.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from itertools import count, cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask
from flask_migrate import upgrade
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from sqlalchemy import insert, select

from app import create_app, pulse
from app.accounts.known import who
from app.background.rolling import roll_up
from app.clock import now, slot_of
from app.codes import CancelReason, FailureCode
from app.config import ROOT
from app.extensions import db
from app.operations import bulk
from app.operations.bulk import Wanted
from app.operations.bulk_plan import Matching
from app.operations.bulk_release import release
from app.outbox.listing import Filter
from app.outbox.models import Attempt, Delivery
from app.outbox.state import State
from app.reach.models import LineLink
from app.sources.classroom.models import Classroom
from app.tokens import request_id
from app.transaction import writing
from tests.e2e.site import Looking, Site, make_admin, serving
from tests.factories import change, make_classroom, make_shift, make_tutor
from tests.fixtures.background import later
from tests.fixtures.settings import settings_for
from tests.outbox.ledger import quietly
from tests.web.ledger import KEY

PICTURES = ROOT / "docs" / "dashboard"
LOOKS = [(language, theme) for language in ("ja", "en") for theme in ("light", "dark")]
COLOURS = 255
PEOPLE = ("佐藤 一郎", "鈴木 さくら", "髙橋 花子", "山本 大翔", "Emma Brown", "中村 健", "渡邊 葵", "小林 真")
PLACES = ("渋谷教室", "池袋教室", "自由が丘教室", "横浜教室")
OUTAGE = timedelta(hours=4)
MINUTE = timedelta(minutes=1)
_numbers = count(1)


def main() -> None:
    """Fill a house, look at it, and keep what is seen."""
    with _house() as app, serving(app) as url, sync_playwright() as playwright:
        with app.app_context():
            admin, email = make_admin()
            one = _fill(admin)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        looking = Looking(browser, Site(app, url, admin, email))
        for language, theme in LOOKS:
            page = looking.window(language=language, theme=theme)
            for name, picture in _pictures(page, one):
                _keep(picture, PICTURES / f"{name}-{language}-{theme}.png")
        looking.close()
        browser.close()
    shutil.copy(PICTURES / "overview-en-light.png", ROOT / "docs" / "overview.png")


def _pictures(page: Page, delivery_id: int) -> Iterator[tuple[str, bytes]]:
    page.set_viewport_size({"width": 1280, "height": 960})
    page.goto("/overview")
    yield "overview", page.screenshot(full_page=True)
    page.goto("/deliveries?state=failed")
    for row in (1, 3):
        page.locator("tbody input[type=checkbox]").nth(row).check()
    yield "deliveries", page.screenshot()
    page.goto(f"/deliveries/{delivery_id}")
    yield "delivery", page.screenshot(full_page=True)
    page.goto("/bulk-retries/1")
    yield "bulk-retry", page.screenshot()


def _keep(picture: bytes, path: Path) -> None:
    """A page has few colours: a palette keeps all that an eye tells apart, in a third of the bytes."""
    few = Image.open(BytesIO(picture)).convert("RGB")
    palette = few.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    palette.save(path, optimize=True)


@contextmanager
def _house() -> Iterator[Flask]:
    with TemporaryDirectory() as folder:
        app = create_app(settings_for(f"sqlite:///{Path(folder) / 'todoke.db'}"))
        with app.app_context():
            upgrade(directory=str(ROOT / "migrations"))
        yield app
        with app.app_context():
            db.engine.dispose()


def _fill(admin: int) -> int:
    """The delivery to look at."""
    dice, tutors = Random(7), [make_tutor(name=name) for name in PEOPLE]
    rooms = [_room(name) for name in PLACES]
    shifts = [_shift(tutor, hours, rooms[hours % len(rooms)])
              for hours, tutor in zip(range(2, 34), cycle(tutors), strict=False)]  # fmt: skip
    people = list(zip(shifts, cycle(tutors), cycle(PEOPLE), strict=False))
    rows: list[dict[str, Any]] = []

    def add(state: State, at: datetime, number: int = 1, **values: Any) -> None:
        for _ in range(number):
            shift, tutor, name = dice.choice(people)
            rows.append(_row(state, at - dice.random() * 50 * MINUTE, shift, tutor, name) | values)

    at = now()
    for hours in range(26):
        busy = 34 - abs(hours - 9) if 4 <= hours <= 16 else 16
        ago = at - timedelta(hours=hours)
        add(State.SENT, ago, busy // (4 if hours in (3, 4) else 1))
        add(State.SENT, ago, busy // 3, channel="web_push", gate_key="web_push:fcm.googleapis.com")
        add(State.CANCELED, ago, 1 + hours % 3, cancel_reason=dice.choice(list(_REASONS)))
    server, silent = _failure(FailureCode.LINE_SERVER_ERROR), _failure(FailureCode.LINE_TIMEOUT)
    first = len(rows) + 1
    add(State.FAILED, at - OUTAGE, 110, **server)
    add(State.FAILED, at - OUTAGE + 70 * MINUTE, 14, **silent)
    add(State.FAILED, at - 12 * MINUTE, 9, **_failure(FailureCode.LINE_QUOTA_EXCEEDED, tries=1))
    add(State.FAILED, at - 5 * 60 * MINUTE, 6, **_pushed(FailureCode.PUSH_SERVER_ERROR))
    add(State.RETRY, at - 2 * MINUTE, 5, failure_code=FailureCode.LINE_SERVER_ERROR, next_attempt_at=at + 3 * MINUTE)
    with quietly() as tx:
        tx.session.execute(insert(Delivery), [_COMMON | row for row in rows])
    one = first + 109
    _try(one, rows[one - 1]["created_at"])
    _repair(admin, range(first, first + 25))
    _live(at)
    roll_up()
    return one


def _shift(tutor: int, hours: int, room: int) -> int:
    at = slot_of(now(), timedelta(hours=1)) + timedelta(hours=hours)
    return make_shift(tutor, starts_at=at, ends_at=at + timedelta(hours=3), classroom_id=room)


def _link(tutor: int) -> int:
    return db.session.scalars(select(LineLink.id).where(LineLink.account_id == tutor)).one()


def _room(name: str) -> int:
    room = make_classroom()
    change(Classroom, room, name=name)
    return room


_REASONS = (
    CancelReason.SHIFT_CHANGED, CancelReason.CONDITION_LOST, CancelReason.ALREADY_READ, CancelReason.OUT_OF_STOCK,
)  # fmt: skip
_COMMON: dict[str, Any] = {
    "kind": "shift_reminder", "channel": "line", "subject_type": "shift", "subject_version": 1,
    "address_type": "line_link", "gate_key": "line", "attempts": 1, "round_attempts": 1, "next_trigger": "auto",
    "rescues": 0, "key_ambiguous": False, "already_accepted": False, "dead_letter": False, "failure_code": None,
    "cancel_reason": None, "next_attempt_at": None, "retry_key": None, "retry_key_used_at": None, "finished_at": None,
}  # fmt: skip


def _row(state: State, at: datetime, shift: int, tutor: int, name: str) -> dict[str, Any]:
    ended = at + timedelta(seconds=2 + shift % 9) if state in (State.SENT, State.CANCELED, State.FAILED) else None
    return {
        "dedup_key": f"shift_reminder:{shift}:{next(_numbers)}", "subject_id": shift, "account_id": tutor,
        "address_id": _link(tutor), "address_label": name, "state": state, "created_at": at, "updated_at": at,
        "finished_at": ended, "retry_key": KEY, "retry_key_used_at": at,
    }  # fmt: skip


def _failure(code: FailureCode, tries: int = 6) -> dict[str, Any]:
    return {"failure_code": code, "attempts": tries, "round_attempts": tries, "dead_letter": tries > 1,
            "key_ambiguous": tries > 1}  # fmt: skip


def _pushed(code: FailureCode) -> dict[str, Any]:
    return _failure(code, tries=5) | {"channel": "web_push", "kind": "announcement", "subject_type": "announcement",
                                      "gate_key": "web_push:fcm.googleapis.com", "retry_key": None,
                                      "retry_key_used_at": None}  # fmt: skip


def _try(delivery_id: int, at: datetime) -> None:
    """The tries of a round: 0, 2, 6, 14, 30 and 61 minutes after it was made."""
    minutes = (0, 2, 6, 14, 30, 61)
    with writing() as tx:
        for number, (one, further) in enumerate(zip(minutes, (*minutes[1:], None), strict=True), start=1):
            code, status = (FailureCode.LINE_TIMEOUT, None) if number == 3 else (FailureCode.LINE_SERVER_ERROR, 500)
            tx.session.add(Attempt(
                delivery_id=delivery_id, number=number, trigger="auto", started_at=at + one * MINUTE,
                finished_at=at + one * MINUTE + timedelta(milliseconds=412), outcome="transient", code=code,
                may_have_arrived=True, http_status=status, retry_key=KEY, duration_ms=412,
                next_attempt_at=None if further is None else at + further * MINUTE,
            ))  # fmt: skip


def _repair(admin: int, sent: Sequence[int]) -> None:
    """A bulk retry on its way: some had their turn, and the first of them were sent."""
    code = FailureCode.LINE_SERVER_ERROR
    chosen = Matching(Filter(state=State.FAILED, code=code), now())
    wanted = Wanted(chosen, {"state": State.FAILED, "code": code}, 300, False, "17:05 に LINE が復旧したため")
    with quietly() as tx:
        begun = bulk.begin(tx, who(admin), request_id(), wanted)
    with later(seconds=12), quietly() as tx:
        release(tx, begun)
    for one in sent:
        change(Delivery, one, state=State.SENT, failure_code=None, finished_at=now(), dead_letter=False)


def _live(at: datetime) -> None:
    """The background as it says of itself that it lives."""
    with writing() as tx:
        for name, role, queues in (("worker-shop1-4711", "worker", "urgent,default"),
                                   ("worker-shop1-4712", "worker", "urgent,default,bulk,slow"),
                                   ("clock-shop1-4709", "clock", "")):  # fmt: skip
            pulse.beat(tx, name, role, queues, at)
        pulse.note_depths(tx, {"urgent": 0, "default": 3, "bulk": 0, "slow": 1})
        for name, every, figures in (("reminders", 5, {"shifts": 4, "enqueued": 3}), ("recovery", 1, {"lost": 0}),
                                     ("bulk_retry", 1, {"retried": 60}), ("roll_up", 5, {"counted": 42}),
                                     ("prices", 10, {"looked": 38, "unanswered": 1, "enqueued": 2})):  # fmt: skip
            pulse.start(tx, name, every * MINUTE, MINUTE)
            pulse.finish(tx, name, figures, None)


if __name__ == "__main__":
    main()
