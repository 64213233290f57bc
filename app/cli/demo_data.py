"""Who and what the demo shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from app.accounts.models import Role
from app.clock import slot_of
from app.i18n import zone
from app.sources.classroom.imports.csv_file import ShiftFile
from app.sources.classroom.imports.shift_rows import Named, ShiftRow
from app.sources.classroom.models import ShiftStatus
from app.sources.classroom.shifts.spans import span


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the demo. Whoever has no password cannot sign in."""

    email: str
    name: str
    role: Role
    language: str = "ja"
    password: str | None = None
    line_user_id: str | None = None


SIGN_INS = (
    Person("admin@example.jp", "青木 葵", Role.ADMIN, password="todoke-admin"),  # noqa: S106  # the demo is no secret
    Person("staff@example.jp", "湊 陽子", Role.STAFF, password="todoke-staff"),  # noqa: S106
    Person("owner@example.jp", "小林 真", Role.MEMBER, password="todoke-owner"),  # noqa: S106
    Person("member@example.jp", "𠮷野 さくら", Role.MEMBER, password="todoke-member"),  # noqa: S106
)
ADMIN, STAFF, OWNER, CUSTOMER = SIGN_INS
CLERK = Person("clerk@example.jp", "中島 健", Role.MEMBER)
HANAKO = Person("hanako@example.jp", "髙橋 花子", Role.MEMBER, line_user_id=f"U{1:032x}")
TAKESHI = Person("takeshi@example.jp", "山﨑 武", Role.MEMBER, line_user_id=f"U{2:032x}")
EMMA = Person("emma@example.jp", "Emma Brown", Role.MEMBER, "en", line_user_id=f"U{3:032x}")
PEOPLE = (*SIGN_INS, CLERK, HANAKO, TAKESHI, EMMA)

SHIBUYA, YOKOHAMA = "渋谷教室", "横浜教室"

GROUP_ID, GROUP_NAME = f"C{1:032x}", "講師連絡グループ"

_Shift = tuple[datetime, timedelta, Person, str, ShiftStatus, str]


def shifts_at(at: datetime) -> ShiftFile:
    """The shifts of a demo that begins at this instant: at any hour, the first three are due a reminder at once."""
    numbers = count(1)
    day = at.astimezone(zone()).strftime("%Y%m%d")
    rows = [_row(next(numbers), day, shift) for shift in (*_about_to_start(at), *_later(at))]
    return ShiftFile(rows, [Named(row.line, row.tutor_email, row.classroom) for row in rows], ())


def _about_to_start(at: datetime) -> Iterator[_Shift]:
    soon = slot_of(at, timedelta(minutes=5)) + timedelta(minutes=5)
    confirmed = ShiftStatus.CONFIRMED
    yield soon + timedelta(minutes=25), timedelta(hours=2), HANAKO, SHIBUYA, confirmed, "中2 数学"
    yield soon + timedelta(minutes=70), timedelta(hours=3), TAKESHI, YOKOHAMA, confirmed, "高1 物理"
    yield soon + timedelta(minutes=110), timedelta(hours=2), EMMA, SHIBUYA, confirmed, "英会話"


def _later(at: datetime) -> Iterator[_Shift]:
    later = slot_of(at, timedelta(minutes=30)) + timedelta(hours=3)
    tomorrow = (at.astimezone(zone()) + timedelta(days=1)).date().isoformat()
    afternoon, night = span(tomorrow, "16:00", "22:00")
    confirmed = ShiftStatus.CONFIRMED
    yield later, timedelta(hours=3), TAKESHI, SHIBUYA, confirmed, ""
    yield later + timedelta(hours=2), timedelta(hours=2), HANAKO, YOKOHAMA, confirmed, "小6 国語"
    yield afternoon, timedelta(hours=4), EMMA, YOKOHAMA, confirmed, "英検対策"
    yield afternoon + timedelta(minutes=30), timedelta(hours=3), HANAKO, SHIBUYA, ShiftStatus.DRAFT, "調整中"
    yield night, timedelta(hours=4), TAKESHI, YOKOHAMA, confirmed, "夜間自習室"


def _row(number: int, day: str, shift: _Shift) -> ShiftRow:
    starts_at, length, tutor, classroom, status, note = shift
    external_id = f"demo-{day}-{number}"
    return ShiftRow(number, external_id, tutor.email, classroom, starts_at, starts_at + length, status, note)
