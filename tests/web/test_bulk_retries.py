"""Retrying many deliveries: the plan, the beginning, how far it has come, and the list of all."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from flask import Flask

from app.accounts.models import Account
from app.clock import now
from app.codes import FailureCode
from app.extensions import db
from app.operations import bulk
from app.operations.bulk_listing import Outcome
from app.operations.bulk_models import BulkRetry
from app.operations.bulk_plan import Skip
from app.outbox import gates
from app.outbox.models import Delivery
from app.outbox.retry_key import Key
from app.outbox.state import State
from app.sources.classroom.shifts.listing import classroom_names
from app.transaction import writing
from app.web import bulk_retries, bulk_retry, bulk_words
from tests.factories import change, delivery, make_classroom
from tests.operations.bulks import admin as somebody
from tests.operations.bulks import begin, items, picked, released, row
from tests.web.ledger import KEY, SECRET_USER, failed, pushed, standing_as
from tests.web.visitor import Visitor, text_of

OLD: dict[str, Any] = {"key_ambiguous": True, "retry_key_used_at": now() - timedelta(days=2)}


def carried(page: str) -> dict[str, Any]:
    """What the form of a plan carries, and the usual choice of a rate."""
    form = page[page.index('action="/bulk-retries"') :]
    found = re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', form)
    fields: dict[str, Any] = {name: value for name, value in found if name not in ("csrf_token", "ids")}
    ids = [value for name, value in found if name == "ids"]
    return fields | ({"ids": ids} if ids else {}) | {"rate": "300"}


def begun(visitor: Visitor, path: str, **changes: Any) -> str:
    """The page of what somebody began there."""
    answer = visitor.post("/bulk-retries", **carried(visitor.get(path).text) | changes)
    assert answer.status_code == 303, text_of(answer)
    assert answer.location is not None
    return answer.location


def made(app: Flask) -> list[BulkRetry]:
    with app.app_context():
        return list(db.session.query(BulkRetry).order_by(BulkRetry.id))


def release_in(app: Flask, bulk_id: int, seconds: float) -> None:
    """A turn of the scan, exactly so long after it was begun."""
    with app.app_context():
        at = row(bulk_id).made_at + timedelta(seconds=seconds)
        with time_machine.travel(at, tick=False):
            released(bulk_id)


def test_every_outcome_key_and_reason_has_words() -> None:
    assert bulk_words.OUTCOMES.keys() == set(Outcome)
    assert bulk_words.KEYS.keys() == set(Key)
    assert bulk_words.SKIPS.keys() == {*Skip, *State}


def test_the_plan_says_how_many_of_what_with_which_key_and_how_long_it_takes(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        for _ in range(12):
            failed()
        pushed()
        failed(**OLD)
        failed(FailureCode.LINE_FORBIDDEN, **OLD | {"key_ambiguous": False})
    page = admin.get("/bulk-retries/new")
    said = text_of(page)
    assert page.status_code == 200
    for words_of_it in (
        "Chosen: everything that failed", "14 deliveries will be retried", "Retry 14 deliveries, with the box 15",
        "probe 14",
        "With the same retry key: LINE delivers it at most once 12",
        "With a new retry key: LINE has forgotten the old one 1",
        "By push: it takes the place of one that may have arrived 1",
        "60 a minute takes about 14 seconds, with the box below 15 seconds",
        "Also those that LINE may already have accepted (1)",
    ):  # fmt: skip
        assert words_of_it in said
    assert page.text.count('class="primary"') == 1


def test_the_plan_is_about_what_the_list_was_narrowed_to(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(FailureCode.LINE_FORBIDDEN)
        failed(FailureCode.LINE_TIMEOUT)
    path = "/bulk-retries/new?state=failed&code=LINE_TIMEOUT"
    page = admin.get(path)
    assert "Retry 1 delivery" in text_of(page)
    assert 'href="/deliveries?state=failed&amp;code=LINE_TIMEOUT"' in page.text
    begun(admin, path)
    (one,) = made(pages_app)
    assert (one.total, one.asked) == (1, {"code": "LINE_TIMEOUT"})


def test_the_plan_and_the_bulk_retry_say_what_was_chosen_as_the_list_does(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        scope = f"classroom:{make_classroom()}"
        one = failed(dead_letter=True, scope=scope)
        tutor, subject = delivery(one).account_id, delivery(one).subject_id
        change(Delivery, one, subject_type="shift")
        name = next(iter(classroom_names().values()))
    path = f"/bulk-retries/new?scope={scope}&dead=1&subject=shift:{subject}&person={tutor}&order=oldest&state=failed"
    kept = f"Shift {subject} · {name} · All tries used up"
    assert f"Chosen: 佐藤 · {kept}" in text_of(admin.get(path))
    made_here = begun(admin, path)
    said = text_of(admin.get(made_here))
    assert f"Chosen: One account · {kept}" in said
    assert f"One account · {kept}" in text_of(admin.get("/bulk-retries"))
    assert made(pages_app)[0].asked == {
        "subject": f"shift:{subject}", "person": 1, "scope": scope, "dead": "1",
    }  # fmt: skip


def test_the_button_and_the_times_say_how_many_with_those_that_could_arrive_twice(
    pages_app: Flask, admin: Visitor
) -> None:
    with pages_app.app_context():
        failed(), failed()
        failed(**OLD)
    said = text_of(admin.get("/bulk-retries/new"))
    assert "Retry 2 deliveries, with the box 3" in said
    assert "60 a minute takes about 2 seconds, with the box below 3 seconds" in said
    assert "1,800 a minute takes about 1 second " in said


def test_rows_that_were_ticked_are_retried_alone(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        first, second, _third = failed(), failed(), failed()
        sent = standing_as(state=State.SENT)
    path = f"/bulk-retries/new?ids={first}&ids={second}&ids={sent}&state=sent"
    said = text_of(admin.get(path))
    assert "Chosen: ticked in the list: 3" in said
    assert "Retry 2 deliveries" in said
    assert "What will be skipped, and why It had been sent already. 1" in said
    begun(admin, path)
    (one,) = made(pages_app)
    with pages_app.app_context():
        assert items(one.id) == {first: ("waiting", None), second: ("waiting", None), sent: ("skipped", "sent")}


def test_what_failed_since_the_plan_was_shown_is_not_part_of_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed()
        fields = carried(admin.get("/bulk-retries/new").text)
        failed()
    admin.post("/bulk-retries", **fields)
    assert made(pages_app)[0].total == 1


def test_what_failed_since_the_list_was_opened_is_part_of_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        opened = (now() - timedelta(minutes=1)).isoformat()
        failed()
    assert "Retry 1 delivery" in text_of(admin.get("/bulk-retries/new", query_string={"seen": opened}))


def test_a_form_that_is_sent_twice_begins_one(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed()
    fields = carried(admin.get("/bulk-retries/new").text)
    answers = [admin.post("/bulk-retries", **fields).location for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(made(pages_app)) == 1


def test_a_form_that_is_sent_again_with_something_else_in_it_says_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(), failed()
    fields = carried(admin.get("/bulk-retries/new").text)
    admin.post("/bulk-retries", **fields)
    answer = admin.post("/bulk-retries", **fields, why="another")
    assert answer.status_code == 422
    assert "This form was sent before, with something else in it." in text_of(answer)
    assert len(made(pages_app)) == 1


def test_what_could_arrive_twice_needs_a_yes(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed(**OLD)
    page = admin.get("/bulk-retries/new")
    assert re.search(r'name="with_doubles"[^>]* required', page.text)
    assert "Retry 1 delivery" in text_of(page)
    refused = admin.post("/bulk-retries", **carried(page.text))
    assert refused.status_code == 409
    assert "Nothing was begun" in text_of(refused)
    assert not made(pages_app)
    path = begun(admin, "/bulk-retries/new", with_doubles="1")
    assert "Also those that could arrive twice; this was confirmed." in text_of(admin.get(path))
    with pages_app.app_context():
        assert items(made(pages_app)[0].id) == {one: ("waiting", None)}


@pytest.mark.parametrize("field", [{"rate": "61"}, {"rate": "many"}, {"rate": ""}, {"why": "x" * 301}])
def test_what_makes_no_sense_is_said_at_its_field_and_nothing_typed_is_lost(
    pages_app: Flask, admin: Visitor, field: dict[str, str]
) -> None:
    with pages_app.app_context():
        failed()
    answer = admin.post("/bulk-retries", **carried(admin.get("/bulk-retries/new").text) | {"why": "<b>so</b>"} | field)
    assert answer.status_code == 422
    assert 'class="fault"' in answer.text
    assert "rate" not in field or "&lt;b&gt;so&lt;/b&gt;" in answer.text
    assert not made(pages_app)


@pytest.mark.parametrize(
    "query",
    [
        "state=lost", "kind=x", "channel=x", "code=x", "from=x", "to=x", "subject=x", "q=" + "x" * 201, "ids=x",
        "ids=0", "ids=-1", "ids=" + "9" * 30, "ids=1&ids=", "&".join(f"ids={one}" for one in range(1, 202)),
    ],
)  # fmt: skip
def test_a_choice_that_cannot_be_read_is_explained_and_retries_nothing(
    pages_app: Flask, admin: Visitor, query: str
) -> None:
    with pages_app.app_context():
        failed()
    page = admin.get(f"/bulk-retries/new?{query}")
    assert page.status_code == 422
    assert "what was chosen could not be read" in text_of(page)
    assert '<form method="post" action="/bulk-retries"' not in page.text
    pairs = [one.split("=", 1) for one in query.split("&")]
    fields: dict[str, Any] = {name: [value for other, value in pairs if other == name] for name, _value in pairs}
    assert admin.post("/bulk-retries", **fields, rate="300", request_id="form").status_code == 422
    assert not made(pages_app)


def test_odd_things_beside_a_choice_do_no_harm(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed()
    fields = carried(admin.get("/bulk-retries/new?seen=x&cursor=").text)
    assert admin.post("/bulk-retries", **fields | {"request_id": ""}).status_code == 400
    assert admin.post("/bulk-retries", **fields | {"seen": "yesterday"}).status_code == 422
    assert admin.post("/bulk-retries", **fields).status_code == 303


def test_where_there_is_nothing_to_retry_it_says_so_with_a_way_back(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        sent = standing_as(state=State.SENT)
    for path in ("/bulk-retries/new?kind=probe", f"/bulk-retries/new?ids={sent}", "/bulk-retries/new?ids=404"):
        page = admin.get(path)
        assert page.status_code == 200
        assert "There is nothing to retry" in text_of(page)
    assert 'href="/deliveries?kind=probe"' in admin.get("/bulk-retries/new?kind=probe").text


def test_of_a_search_no_term_is_kept(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    path = begun(admin, f"/bulk-retries/new?q={one}")
    assert made(pages_app)[0].asked == {"q": 1}
    assert "Chosen: found by a search" in text_of(admin.get(path))


def test_the_page_shows_how_far_it_has_come_and_asks_again(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        sent, again, going, waiting = (failed() for _ in range(4))
    path = begun(admin, "/bulk-retries/new", rate="60", why="LINE is <well> again")
    bulk_id = made(pages_app)[0].id
    release_in(pages_app, bulk_id, 3)
    with pages_app.app_context():
        change(Delivery, sent, state=State.SENT)
        change(Delivery, again, state=State.FAILED, failure_code=FailureCode.LINE_QUOTA_EXCEEDED)
    page = admin.get(path)
    said = text_of(page)
    for words_of_it in (
        "It is being released, 60 a minute.", "3 of 4 have had their turn: 3 retried, 0 skipped",
        "About 1 second left", "LINE is <well> again", "admin Aoki", "Not yet its turn 1", "Under way 1", "Sent 1",
        "Failed again 1", "LINE's monthly limit is used up.", "Stop",
    ):  # fmt: skip
        assert words_of_it in said
    assert 'max="4" value="3"' in page.text
    part = admin.part(path)
    assert f'hx-get="{path}" hx-trigger="app:tick from:body"' in part.text
    assert "<html" not in part.text
    assert [int(one) for one in re.findall(r'<tr id="delivery-(\d+)"', part.text)] == [sent, again, going, waiting]
    assert f'href="/deliveries/{going}"' in part.text


def test_when_nothing_more_happens_it_asks_no_more(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    path = begun(admin, "/bulk-retries/new")
    release_in(pages_app, made(pages_app)[0].id, 2)
    assert "Each has had its turn. Some are still under way." in text_of(admin.get(path))
    assert "hx-get" in admin.part(path).text
    with pages_app.app_context():
        change(Delivery, one, state=State.SENT)
    part = admin.part(path)
    assert "Finished" in text_of(part)
    assert "hx-get" not in part.text
    assert 'id="stop"' not in part.text


def test_stop_leaves_the_rest_unsent_and_says_who_did_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        one = failed()
    path = begun(admin, "/bulk-retries/new")
    assert "hx-get" in admin.part(path).text, "nothing is under way yet, but something will be"
    answer = admin.post(f"{path}/stop")
    assert (answer.status_code, answer.location) == (303, path)
    said = text_of(admin.get(path))
    assert "Stopped: nothing more of it is retried." in said
    assert "Stopped by admin Aoki. What was left is not retried." in said
    assert "The bulk retry was stopped before its turn came." in said
    assert "hx-get" not in admin.part(path).text
    with pages_app.app_context():
        assert delivery(one).state == State.FAILED
    late = admin.post(f"{path}/stop")
    assert late.status_code == 409
    assert "Nothing was left to stop." in text_of(late)
    assert "Stopped by admin Aoki." in text_of(late)


def test_where_its_maker_lost_the_right_the_page_and_the_list_say_so(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        who = somebody()
        bulk_id = begin(picked(failed()), who)
        change(Account, who.id, role="staff")
    release_in(pages_app, bulk_id, 2)
    said = text_of(admin.get(f"/bulk-retries/{bulk_id}"))
    assert "Stopped by itself: whoever began it is no administrator any more. What was left is not retried." in said
    assert "Stopped by itself" in text_of(admin.get("/bulk-retries"))


def test_the_result_of_each_is_found_by_what_became_of_it_page_by_page(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_retry, "ROWS_PER_PAGE", 2)
    with pages_app.app_context():
        mine = [failed() for _ in range(5)]
        moved_on = failed()
        begin(picked(*mine, moved_on), somebody())
        change(Delivery, moved_on, state=State.CANCELED)
    bulk_id = made(pages_app)[0].id
    release_in(pages_app, bulk_id, 30)
    path, seen = f"/bulk-retries/{bulk_id}?outcome=under_way", list[int]()
    while path:
        page = admin.get(path).text
        seen += [int(one) for one in re.findall(r'<tr id="delivery-(\d+)"', page)]
        found = re.search(r'id="next" href="([^"]+)"', page)
        path = found.group(1).replace("&amp;", "&") if found else ""
    assert seen == mine
    skipped = admin.get(f"/bulk-retries/{bulk_id}?outcome=skipped")
    assert "It had been canceled already." in text_of(skipped)
    assert re.findall(r'<tr id="delivery-(\d+)"', skipped.text) == [str(moved_on)]
    for outcome in Outcome:
        assert admin.get(f"/bulk-retries/{bulk_id}?outcome={outcome}").status_code == 200


@pytest.mark.parametrize("query", ["outcome=x", "after=x", "after=-1", "after=" + "9" * 40, "outcome=&after="])
def test_a_place_that_is_not_understood_is_the_first(pages_app: Flask, admin: Visitor, query: str) -> None:
    with pages_app.app_context():
        one = failed()
        begin(picked(one))
    bulk_id = made(pages_app)[0].id
    each, all_of_them = admin.get(f"/bulk-retries/{bulk_id}?{query}"), admin.get(f"/bulk-retries?{query}")
    assert f'id="delivery-{one}"' in each.text
    assert f'id="bulk-retry-{bulk_id}"' in all_of_them.text
    noted = "The address was not understood. Here are all, from the first on."
    assert (noted in text_of(each)) == ("x" in query or "-1" in query or "9" in query)
    assert (noted in text_of(all_of_them)) == (query.startswith("after="))


def test_the_list_shows_all_of_them_the_newest_first(
    pages_app: Flask, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No bulk retry has been made" in text_of(admin.get("/bulk-retries"))
    monkeypatch.setattr(bulk_retries, "ROWS_PER_PAGE", 2)
    with pages_app.app_context():
        begun_ones = [begin(picked(failed()), somebody("西 薫"), why=f"why {number}") for number in range(3)]
        with writing() as tx:
            bulk.stop(tx, somebody(), begun_ones[2])
    page = admin.get("/bulk-retries")
    assert [int(one) for one in re.findall(r'id="bulk-retry-(\d+)"', page.text)] == begun_ones[:0:-1]
    for words_of_it in ("西 薫", "why 1", "Stopped", "Being released"):
        assert words_of_it in text_of(page)
    older = re.search(r'id="older" href="([^"]+)"', page.text)
    assert older is not None
    assert f'id="bulk-retry-{begun_ones[0]}"' in admin.get(older.group(1)).text


def test_no_page_shows_whom_line_knows_them_as_nor_a_whole_key(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(line_user_id=SECRET_USER)
    path = begun(admin, "/bulk-retries/new")
    for page in (admin.get(path).text, admin.get("/bulk-retries").text, admin.get("/bulk-retries/new").text):
        assert SECRET_USER not in page
        assert KEY not in page


def test_both_languages_say_it(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed(), failed(**OLD)
        japanese = Visitor(pages_app, somebody().id, "ja")
    said = text_of(japanese.get("/bulk-retries/new"))
    assert "1件を再送する" in said
    assert "対象：失敗したものすべて" in said


@pytest.mark.parametrize("path", ["/bulk-retries", "/bulk-retries/new", "/bulk-retries/1"])
def test_only_administrators_come_in(staff: Visitor, member: Visitor, stranger: Visitor, path: str) -> None:
    assert [one.get(path).status_code for one in (staff, member)] == [403, 403]
    assert stranger.get(path).location == f"/login?next={path}"


@pytest.mark.parametrize("path", ["/bulk-retries", "/bulk-retries/1/stop"])
def test_only_administrators_act(pages_app: Flask, staff: Visitor, member: Visitor, path: str) -> None:
    with pages_app.app_context():
        begin(picked(failed()))
    assert [one.post(path).status_code for one in (staff, member)] == [403, 403]
    with pages_app.app_context():
        assert row(made(pages_app)[0].id).finished_at is None


def test_what_there_is_not_is_not_found(admin: Visitor) -> None:
    for number in (0, 1, 2**63):
        assert admin.get(f"/bulk-retries/{number}").status_code == 404
        assert admin.post(f"/bulk-retries/{number}/stop").status_code == 404


def test_a_plan_says_that_nothing_goes_through_a_closed_gate(pages_app: Flask, admin: Visitor) -> None:
    with pages_app.app_context():
        failed()
    assert 'id="closed"' not in admin.get("/bulk-retries/new?state=failed").text
    with pages_app.app_context(), writing() as tx:
        gates.pause(tx, "line", "")
    page = text_of(admin.get("/bulk-retries/new?state=failed"))
    assert "Nothing is sent to LINE: an operator paused it. What is retried and goes there waits" in page
