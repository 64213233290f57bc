"""A classroom with its shifts, its group and a published table, for browsers to look at."""

from dataclasses import dataclass
from datetime import timedelta

from app.accounts.invitations import invite
from app.audit import Actor
from app.extensions import db
from app.operations.deletion import delete_account
from app.sources.classroom.models import Classroom, Publication
from app.sources.classroom.publication.month_table import Wanted
from app.sources.classroom.publication.send import send_drawn
from app.tokens import request_id
from app.transaction import writing
from tests.factories import change, make_account, make_classroom, make_tutor
from tests.web.classroom import TOKYO, give_group, next_month, shift_on, told_of


@dataclass(frozen=True)
class Plan:
    """What there is to look at."""

    room: int
    shift: int
    drafts: list[int]
    tutor: int
    publication: int
    document: str
    deleted: int
    invitation: str

    @property
    def addresses(self) -> list[str]:
        """The pages of the classroom that matter."""
        day, month = next_month(), f"{next_month():%Y-%m}"
        return [
            f"/shifts?month={month}", f"/shifts?month={month}&ticked=all", f"/shifts?day={day}&ticked=drafts",
            f"/shifts/{self.shift}", f"/shifts/{self.shift}/edit", "/shifts/new", f"/shifts/delete?ids={self.shift}",
            "/shifts/import", f"/publications?month={month}&classroom={self.room}", "/publications?month=x",
            f"/publications/{self.publication}", f"/publications/{self.publication}/withdraw",
            f"/liff?document={self.document}", "/settings/accounts", f"/settings/accounts/{self.tutor}",
            f"/settings/accounts/{self.tutor}/delete", f"/settings/accounts/{self.deleted}", "/settings/accounts/new",
            "/settings/me", "/settings/classrooms", f"/invitations/{self.invitation}", "/invitations/none",
        ]  # fmt: skip


def planned() -> Plan:
    """Make it all."""
    tutor, room = make_tutor(name="髙橋 花子"), make_classroom()
    give_group(room)
    shift = shift_on(next_month(), tutor, classroom_id=room, note="中2 数学")
    told_of(shift)
    change(Classroom, room, name="渋谷教室")
    drafts = [
        shift_on(next_month() + timedelta(days=number), tutor, "22:00", "25:30", classroom_id=room, status="draft")
        for number in range(3)
    ]
    shift_on(next_month(), tutor, "19:00", "21:00", classroom_id=room, status="draft")
    shift_on(next_month(), make_account(name="Nobody Reaches Him"), classroom_id=room)
    wanted = Wanted(next_month(), room, "ja", TOKYO)
    made = send_drawn(Actor(None, "青木 葵"), wanted, request_id=request_id(), default_group=None, font=None)
    document = db.session.get_one(Publication, made.id).document_id
    with writing() as tx:
        invitation = invite(tx, Actor(None, "青木 葵"), tutor)
    gone = make_account(name="Once Here")
    with writing() as tx:
        delete_account(tx, Actor(None, "青木 葵"), gone)
    return Plan(room, shift, drafts, tutor, made.id, document, gone, invitation)
