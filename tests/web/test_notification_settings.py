"""The page where somebody says how they are reached."""

import json
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from app.engine.deliver import deliver
from app.kinds import INBOX_KINDS
from app.reach.preferences import choices
from app.reach.quiet_hours import quiet_hours_of
from app.sources.trial.try_device import KIND
from app.web import words
from tests.factories import make_account, make_tutor, only_delivery
from tests.fakes.inbox_kind import Greeting, greeting
from tests.fakes.line_answers import reply
from tests.fakes.push import FakePush
from tests.fixtures.background import later
from tests.inbox.browsers import KEY, devices_now, register
from tests.web.visitor import Visitor, text_of

PAGE = "/settings/notifications"


@pytest.fixture
def reports() -> Iterator[Greeting]:
    """A kind of a category that has words."""
    with greeting() as kind:
        kind.category = "reports"
        yield kind


@pytest.fixture
def reader(pages_app: Flask) -> int:
    with pages_app.app_context():
        return make_account(name="佐藤")


def device_of(app: Flask, account: int, push: FakePush) -> int:
    """A device of this account, on some other browser."""
    with app.app_context():
        return register(account, push.subscribe(KEY))


def test_every_category_has_its_words() -> None:
    assert {kind.category for kind in INBOX_KINDS.values()} <= words.CATEGORIES.keys()


def test_a_category_without_words_is_never_passed_over(pages_app: Flask, member: Visitor) -> None:
    pages_app.testing = True  # exceptions come through
    with greeting(), pytest.raises(ValueError, match="greetings"):
        member.get(PAGE)


@pytest.mark.parametrize("role", ["admin", "staff", "member"])
def test_everybody_finds_the_page_in_the_menu(pages_app: Flask, role: str) -> None:
    with pages_app.app_context():
        visitor = Visitor(pages_app, make_account(role))
    assert visitor.get("/settings").location == PAGE
    page = visitor.get(PAGE)
    assert page.status_code == 200
    assert f'href="{PAGE}" aria-current="page"' in page.text
    assert ("/settings/accounts" in page.text) == (role == "admin")


def test_only_who_has_a_line_link_chooses_line(pages_app: Flask, member: Visitor, reports: Greeting) -> None:
    with pages_app.app_context():
        tutor = make_tutor()
    assert "reports:line" not in member.get(PAGE).text
    page = Visitor(pages_app, tutor).get(PAGE).text
    assert 'value="reports:web_push" checked' in page
    assert 'value="reports:line">' in page


def test_choices_are_saved_and_said_and_only_those_that_were_offered(pages_app: Flask, reports: Greeting) -> None:
    with pages_app.app_context():
        tutor, reader = make_tutor(), make_account()
    visitor = Visitor(pages_app, tutor)
    assert visitor.post(f"{PAGE}/choices", choice="reports:line").status_code == 303
    assert "Your choices were saved." in text_of(visitor.get(PAGE))
    Visitor(pages_app, reader).post(f"{PAGE}/choices", choice=["reports:line", "nonsense", "alerts:web_push"])
    with pages_app.app_context():
        assert {key for key, wanted in choices(tutor).items() if wanted} == {("reports", "line")}
        assert set(choices(reader).values()) == {False}
        assert not [key for key in choices(reader) if key[0] in ("alerts", "nonsense") or key[1] == "line"]


def test_alerts_are_offered_to_administrators_alone(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    assert "alerts:web_push" in admin.get(PAGE).text
    assert "alerts:web_push" not in member.get(PAGE).text


def test_quiet_hours_name_their_zone_and_can_be_ended(pages_app: Flask, reader: int) -> None:
    visitor = Visitor(pages_app, reader)
    visitor.post(f"{PAGE}/quiet-hours", starts="22:30", ends="07:00")
    assert "every day from 22:30 to 07:00 (Asia/Tokyo)" in text_of(visitor.get(PAGE))
    with pages_app.app_context():
        assert quiet_hours_of([reader]) == {reader: (22 * 60 + 30, 7 * 60)}
    visitor.post(f"{PAGE}/quiet-hours", starts="23:00", ends="06:00")
    visitor.post(f"{PAGE}/quiet-hours", act="clear")
    assert "Now: none." in text_of(visitor.get(PAGE))


def test_who_is_told_of_shifts_reads_that_quiet_hours_do_not_hold_those_back(pages_app: Flask, reader: int) -> None:
    with pages_app.app_context():
        tutor = make_tutor()
    said = "Shift reminders, corrections and shift tables still come at once."
    assert said in text_of(Visitor(pages_app, tutor).get(PAGE))
    assert said not in text_of(Visitor(pages_app, reader).get(PAGE))


@pytest.mark.parametrize(
    ("starts", "ends", "faults"), [("", "25:00", 2), ("9:00", "10:00", 1), ("22:00", "22:00", 1), ("22:00", "７:00", 1)]
)
def test_quiet_hours_that_are_none_are_explained(
    pages_app: Flask, reader: int, starts: str, ends: str, faults: int
) -> None:
    answer = Visitor(pages_app, reader).post(f"{PAGE}/quiet-hours", starts=starts, ends=ends)
    assert answer.status_code == 422
    assert answer.text.count('class="fault"') == faults
    with pages_app.app_context():
        assert quiet_hours_of([reader]) == {}


def test_a_device_is_named_and_a_name_that_is_none_is_explained(pages_app: Flask, reader: int, push: FakePush) -> None:
    device, visitor = device_of(pages_app, reader, push), Visitor(pages_app, reader)
    visitor.post(f"{PAGE}/devices/{device}/name", name=" 台所 ")
    assert "台所" in text_of(visitor.get(PAGE))
    answer = visitor.post(f"{PAGE}/devices/{device}/name", name="x" * 101)
    assert answer.status_code == 422
    assert "1 to 100 characters" in text_of(answer)
    with pages_app.app_context():
        assert devices_now()[0].name == "台所"


def test_removing_asks_first(pages_app: Flask, reader: int, push: FakePush) -> None:
    device, visitor = device_of(pages_app, reader, push), Visitor(pages_app, reader)
    assert "Remove this device?" in text_of(visitor.get(f"{PAGE}/devices/{device}/remove"))
    assert visitor.post(f"{PAGE}/devices/{device}/remove").location == PAGE
    assert "None yet." in text_of(visitor.get(PAGE))
    with pages_app.app_context():
        assert devices_now() == []


def test_all_other_devices_are_named_before_they_are_removed(pages_app: Flask, reader: int, push: FakePush) -> None:
    visitor = Visitor(pages_app, reader)
    for _ in range(2):
        device_of(pages_app, reader, push)
    document = {"subscription": push.subscribe(KEY), "key": KEY}
    visitor.client.post("/devices", json=document, headers={"X-CSRFToken": visitor.token()})
    assert "Remove 2 devices" in text_of(visitor.get(f"{PAGE}/devices/remove-others"))
    assert "Remove all other devices" in text_of(visitor.get(PAGE))
    visitor.post(f"{PAGE}/devices/remove-others")
    page = text_of(visitor.get(PAGE))
    assert "2 devices were removed." in page
    assert "(this device)" in page
    assert "Remove all" not in page
    assert visitor.get(f"{PAGE}/devices/remove-others").status_code == 302


def test_nobody_touches_the_devices_of_somebody_else(
    pages_app: Flask, reader: int, admin: Visitor, push: FakePush
) -> None:
    device = device_of(pages_app, reader, push)
    for path in ("name", "remove", "test"):
        assert admin.post(f"{PAGE}/devices/{device}/{path}", name="mine").status_code == 404
    assert admin.get(f"{PAGE}/devices/{device}/remove").status_code == 404
    admin.post(f"{PAGE}/devices/remove-others")
    with pages_app.app_context():
        assert [one.account_id for one in devices_now()] == [reader]


@pytest.mark.parametrize(
    ("answer", "told", "known"),
    [
        (
            reply(201),
            "Sent The push service has accepted it. That is no proof that the device showed it",
            r"Last success (?!none)",
        ),
        (
            reply(403),
            "Failed The push service did not accept Todoke's VAPID key",
            "Last success none yet Last failure",
        ),
        (reply(410), "Not sent (rightly) The push service says that this device no longer takes pushes", ""),
    ],
    ids=["accepted", "refused", "gone"],
)
def test_a_test_is_asked_about_until_there_is_a_result(
    pages_app: Flask, reader: int, push: FakePush, answer: object, told: str, known: str
) -> None:
    device, visitor = device_of(pages_app, reader, push), Visitor(pages_app, reader)
    push.script(answer)  # type: ignore[arg-type]
    begun = visitor.post(f"{PAGE}/devices/{device}/test")
    with pages_app.app_context():
        owed = only_delivery().id
    assert begun.location == f"{PAGE}?test={owed}#device-{device}"
    assert f'hx-get="{PAGE}/tests/{owed}" hx-trigger="every 1s"' in visitor.get(begun.location).text
    with pages_app.app_context():
        deliver(KIND, [owed], lambda: False)
    result = visitor.part(f"{PAGE}/tests/{owed}")
    assert told in text_of(result)
    assert re.search(known, text_of(result))
    assert "hx-trigger" not in result.text


def test_a_test_that_nobody_takes_says_so_and_is_given_up(pages_app: Flask, reader: int, push: FakePush) -> None:
    device, visitor = device_of(pages_app, reader, push), Visitor(pages_app, reader)
    visitor.post(f"{PAGE}/devices/{device}/test")
    with pages_app.app_context():
        part = f"{PAGE}/tests/{only_delivery().id}"
        with later(seconds=20):
            waiting = visitor.part(part)
            assert "Nobody has taken it yet" in text_of(waiting)
            assert "hx-trigger" in waiting.text
        with later(minutes=6):
            assert "hx-trigger" not in visitor.part(part).text


def test_a_test_of_somebody_else_is_nobodys(pages_app: Flask, reader: int, admin: Visitor, push: FakePush) -> None:
    device = device_of(pages_app, reader, push)
    Visitor(pages_app, reader).post(f"{PAGE}/devices/{device}/test")
    with pages_app.app_context():
        owed = only_delivery().id
    assert admin.get(f"{PAGE}/tests/{owed}").status_code == 404
    assert admin.get(f"{PAGE}?test={owed}").status_code == 200
    page = text_of(admin.get(f"/deliveries/{owed}"))
    assert "Test notification" in page


@pytest.mark.parametrize(("language", "title"), [("ja", "Todokeからのお知らせ"), ("en", "News in Todoke")])
def test_the_worker_and_the_manifest_are_for_everybody_in_their_language(
    stranger: Visitor, language: str, title: str
) -> None:
    worker = stranger.get(f"/sw.js?language={language}")
    assert (worker.mimetype, worker.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert title.encode("ascii", "backslashreplace").decode() in worker.text
    answer = stranger.get(f"/manifest.webmanifest?language={language}")
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["lang"], manifest["display"], manifest["start_url"]) == (language, "standalone", "/")
    for icon in manifest["icons"]:
        with stranger.get(icon["src"]) as picture:
            assert picture.mimetype == "image/png"
