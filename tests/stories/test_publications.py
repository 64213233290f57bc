"""Promise: a group gets the month's table that holds, and is told truly whether it is new or an update."""

from datetime import date
from threading import Barrier, Thread

import pytest
from flask import Flask

from app.audit import Actor
from app.clock import now
from app.config import Settings
from app.extensions import db
from app.operations import deliveries as operations
from app.outbox.state import State
from app.reach.groups import add_group
from app.sources.classroom.models import Classroom, Publication, PublicationImage
from app.sources.classroom.publication.publish import NoGroupError, publish, withdraw
from app.tokens import document_id
from app.transaction import writing
from tests.factories import all_deliveries, change, make_classroom
from tests.fakes.line import FakeLine
from tests.fakes.line_answers import ACCEPT_THEN_500, BAD_REQUEST
from tests.fixtures.background import Background, later

pytestmark = pytest.mark.usefixtures("everywhere")

GROUP = "C" + "0" * 31 + "1"
ADMIN = Actor(None, "admin")


def make_group(line_group_id: str = GROUP, language: str = "en") -> int:
    with writing() as tx:
        return add_group(tx, line_group_id, "渋谷グループ", language)


def choose_default(app: Flask, line_group_id: str | None) -> None:
    """Another LINE_GROUP_ID, as after a restart."""
    app.config["SETTINGS"] = app.config["SETTINGS"].model_copy(update={"line_group_id": line_group_id})


def send_table(app: Flask, classroom: int | None = None, *, request_id: str = "") -> int:
    settings: Settings = app.config["SETTINGS"]
    with writing() as tx:
        return publish(
            tx, ADMIN, month=_next_month(), classroom_id=classroom, png=b"png",
            default_group=settings.line_group_id,
            request_id=request_id or document_id(), zone=settings.zone,
        )  # fmt: skip


def _next_month() -> date:
    today = now().date()
    return date(today.year + today.month // 12, today.month % 12 + 1, 1)


@pytest.fixture
def classroom(app: Flask) -> int:
    """A classroom whose tables go to a group."""
    made = make_classroom()
    change(Classroom, made, group_id=make_group())
    return made


def alt_texts(line: FakeLine) -> list[str]:
    return [str(message.messages[0]["altText"]).split(":")[0] for message in line.accepted]


def states() -> list[tuple[str, str | None]]:
    return [(delivery.state, delivery.cancel_reason) for delivery in all_deliveries()]


def test_published_the_first_time_and_updated_from_then_on(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    for _ in range(2):
        send_table(app, classroom)
        background.work()
    assert alt_texts(line) == ["The shift table is published", "The shift table was updated"]
    assert {message.to for message in line.accepted} == {GROUP}


def test_published_again_when_the_first_revision_never_arrived(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    line.script(BAD_REQUEST)
    for _ in range(2):
        send_table(app, classroom)
        background.work()
    assert alt_texts(line) == ["The shift table is published"]


def test_the_message_opens_the_document_and_carries_no_picture(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    made = send_table(app, classroom)
    background.work()
    publication = db.session.get(Publication, made)
    assert publication is not None
    assert f"/liff?document={publication.document_id}".encode() in line.accepted[0].body
    assert b"png" not in line.accepted[0].body


def test_replaced_between_queue_and_send_only_the_newest_goes_out(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    send_table(app, classroom)
    send_table(app, classroom)
    background.work()
    assert states() == [(State.CANCELED, "publication_replaced"), (State.SENT, None)]


def test_withdrawn_before_it_was_sent_it_does_not_go_out(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    made = send_table(app, classroom)
    with writing() as tx:
        assert withdraw(tx, made)
    with writing() as tx:
        assert not withdraw(tx, made)
    background.work()
    assert states() == [(State.CANCELED, "publication_withdrawn")]
    assert line.requests == []


def test_a_revision_replaced_by_one_that_was_withdrawn_holds_after_all(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    send_table(app, classroom)
    withdrawn = send_table(app, classroom)
    with writing() as tx:
        withdraw(tx, withdrawn)
    background.work()
    assert states() == [(State.SENT, None), (State.CANCELED, "publication_withdrawn")]


def test_the_same_form_sent_twice_makes_one_publication(app: Flask, classroom: int) -> None:
    first = send_table(app, classroom, request_id="the form's own")
    assert send_table(app, classroom, request_id="the form's own") == first
    assert len(all_deliveries()) == 1


def test_two_admins_who_publish_at_once_make_two_revisions(app: Flask, classroom: int) -> None:
    together = Barrier(2)

    def press() -> None:
        with app.app_context():
            together.wait()
            send_table(app, classroom)

    admins = [Thread(target=press) for _ in range(2)]
    for admin in admins:
        admin.start()
    for admin in admins:
        admin.join()
    db.session.rollback()
    assert sorted(one.revision for one in db.session.query(Publication)) == [1, 2]


def test_a_table_of_all_classrooms_goes_to_the_default_group_else_to_every_group(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    other = "C" + "0" * 31 + "2"
    change(Classroom, make_classroom(), group_id=make_group(other))
    send_table(app)
    background.work()
    assert sorted(message.to for message in line.accepted) == [GROUP, other]
    default = "C" + "0" * 31 + "3"
    choose_default(app, default)
    send_table(app)
    background.work()
    assert line.accepted[-1].to == default
    assert len(line.accepted) == 3


def test_without_any_group_nothing_is_stored(app: Flask) -> None:
    with pytest.raises(NoGroupError):
        send_table(app, make_classroom())
    assert db.session.query(Publication).count() == 0
    assert db.session.query(PublicationImage).count() == 0


def test_after_the_month_the_table_is_no_longer_sent(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    send_table(app, classroom)
    with later(days=70):
        background.work()
    assert states() == [(State.CANCELED, "expired")]


OTHER = "C" + "0" * 31 + "2"


def test_a_group_changed_before_the_send_does_not_get_the_table(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    send_table(app, classroom)
    change(Classroom, classroom, group_id=make_group(OTHER))
    background.work()
    assert states() == [(State.CANCELED, "address_changed")]
    assert line.requests == []


def test_sent_once_more_after_that_it_goes_to_the_new_group_once(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    send_table(app, classroom)
    change(Classroom, classroom, group_id=make_group(OTHER))
    background.work()
    send_table(app, classroom)
    background.work()
    assert [message.to for message in line.accepted] == [OTHER]
    assert alt_texts(line) == ["The shift table is published"], "for that group it is the first"


def test_a_group_taken_away_before_the_send_does_not_get_the_table_of_all_classrooms(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    other = make_classroom()
    change(Classroom, other, group_id=make_group(OTHER))
    send_table(app)
    change(Classroom, other, group_id=None)
    background.work()
    assert [message.to for message in line.accepted] == [GROUP]
    assert states() == [(State.SENT, None), (State.CANCELED, "address_changed")]


def test_a_default_group_changed_before_the_send_does_not_get_the_table(
    app: Flask, background: Background, line: FakeLine
) -> None:
    choose_default(app, GROUP)
    bare = make_classroom()
    send_table(app, bare)
    choose_default(app, OTHER)
    background.work()
    assert states() == [(State.CANCELED, "address_changed")]
    send_table(app, bare)
    background.work()
    assert [message.to for message in line.accepted] == [OTHER]


def test_a_table_that_the_old_group_may_have_is_repeated_under_its_key(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    line.script(ACCEPT_THEN_500)
    send_table(app, classroom)
    background.work()
    change(Classroom, classroom, group_id=make_group(OTHER))
    with later(minutes=3):
        background.run()
    assert states() == [(State.SENT, None)]
    assert len(line.accepted) == 1, "the old group has it, once, and the ledger knows"


def test_a_group_changed_and_a_new_key_made_the_old_group_gets_no_second_copy(
    app: Flask, background: Background, line: FakeLine, classroom: int
) -> None:
    line.script(ACCEPT_THEN_500)
    send_table(app, classroom)
    background.work()
    change(Classroom, classroom, group_id=make_group(OTHER))
    with writing() as tx:
        operations.rotate_key(tx, ADMIN, all_deliveries()[0].id, confirmed=True, seen_attempts=None)
    background.work()
    assert states() == [(State.CANCELED, "address_changed")]
    assert len(line.accepted) == 1
