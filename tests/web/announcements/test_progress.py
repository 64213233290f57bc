"""How far an announcement has come, as its authors follow it."""

import re
from html import unescape

from flask import Flask

from app.extensions import db
from app.outbox.models import Delivery
from app.outbox.state import State
from app.sources.announcements.models import FanOut
from tests.factories import all_deliveries, change, make_account
from tests.inbox.inboxes import make_device
from tests.web.announcements.author import drafted, press_archive, published, tell
from tests.web.visitor import Visitor, text_of

POLLS = 'hx-trigger="app:tick from:body"'


def live(admin: Visitor, path: str) -> str:
    """What a tick brings."""
    answer = admin.part(path)
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert answer.text.lstrip().startswith('<div id="live"')
    return answer.text


def seen(admin: Visitor, path: str) -> str:
    """What a reader sees of a tick."""
    return text_of(admin.part(path))


def devices(app: Flask, number: int) -> None:
    """So many people with a device each."""
    with app.app_context():
        for _ in range(number):
            make_device(make_account())


def become(app: Flask, *states: State) -> None:
    """The deliveries, oldest first, come to stand in these states."""
    with app.app_context():
        for row, state in zip(all_deliveries(), states, strict=True):
            change(Delivery, row.id, state=state)


def test_it_is_followed_from_the_first_inbox_to_the_last_push(pages_app: Flask, admin: Visitor) -> None:
    devices(pages_app, 4)
    path = published(admin)
    page = admin.get(path).text
    assert POLLS in page
    assert POLLS in live(admin, path)
    assert "It is being told. Told: 0 of about 5 people" in seen(admin, path)
    tell(pages_app)
    assert "Everybody has been told. Messages are still on their way. People told: 5" in seen(admin, path)
    assert "Pushes and LINE messages: 0 of 4 settled" in seen(admin, path)
    become(pages_app, State.SENT, State.RETRY, State.CANCELED, State.FAILED)
    half = live(admin, path)
    assert re.search(r'<progress id="messages" max="4" value="3">', half)
    assert "Sent 1 On the way 1 Not sent (rightly) 1 Failed 1" in seen(admin, path)
    assert 'href="/deliveries?subject=announcement:1&amp;state=failed"' in half
    assert POLLS in half
    become(pages_app, State.SENT, State.SENT, State.CANCELED, State.FAILED)
    over = live(admin, path)
    assert POLLS not in over
    assert "Finished: nothing more is sent by itself." in over
    assert POLLS not in admin.get(path).text


def test_the_list_of_failures_is_the_one_that_the_number_counts(pages_app: Flask, admin: Visitor) -> None:
    devices(pages_app, 2)
    paths = [published(admin), published(admin)]
    tell(pages_app)
    become(pages_app, State.FAILED, State.SENT, State.FAILED, State.FAILED)
    for path, number in zip(paths, (1, 2), strict=True):
        link = re.search(r'href="(/deliveries[^"]*)">(\d)<', live(admin, path))
        assert link is not None
        assert int(link[2]) == number
        listed = admin.get(unescape(link[1])).text
        assert len(re.findall(r'id="show-\d+"', listed)) == number
    broken = admin.get("/deliveries?subject=announcement")
    assert broken.status_code == 422
    assert "was not understood" in text_of(broken)


def test_what_was_archived_is_stopped_once_nothing_waits(pages_app: Flask, admin: Visitor) -> None:
    devices(pages_app, 2)
    path = published(admin)
    tell(pages_app)
    press_archive(admin, path)
    assert "It was archived. What still waits is being taken back." in seen(admin, path)
    assert POLLS in live(admin, path)
    tell(pages_app)
    assert "It was archived after everybody had been told." in seen(admin, path)
    assert "Not sent (rightly) 2" in seen(admin, path)
    assert POLLS not in live(admin, path)


def test_what_was_archived_before_everybody_was_told_is_stopped(pages_app: Flask, admin: Visitor) -> None:
    path = published(admin)
    press_archive(admin, path)
    assert "Stopped: it was archived, and nothing of it is sent any more." in seen(admin, path)


def test_who_was_left_out_is_counted_and_explained(pages_app: Flask, admin: Visitor) -> None:
    path = published(admin)
    tell(pages_app)
    assert "left out" not in seen(admin, path)
    with pages_app.app_context():
        (walk,) = db.session.query(FanOut).all()
        change(FanOut, (walk.announcement_id, walk.edition), skipped=2)  # type: ignore[arg-type]  # its key is a pair
    assert "People left out 2" in seen(admin, path)
    assert "the log names the cause" in seen(admin, path)


def test_only_one_sentence_is_read_out(pages_app: Flask, admin: Visitor) -> None:
    part = live(admin, published(admin))
    assert part.count('role="status"') == 1
    assert "aria-live" not in part


def test_what_nobody_was_told_of_has_no_progress(admin: Visitor) -> None:
    path = drafted(admin)
    assert "<progress" not in admin.get(path).text
    assert POLLS not in live(admin, path)
    press_archive(admin, path)
    assert "<progress" not in admin.get(path).text


def test_a_reader_who_asks_for_the_part_gets_the_page(admin: Visitor, member: Visitor) -> None:
    path = published(admin)
    assert "<progress" not in member.part(path).text
