"""Who may come in."""

import pytest
from flask import Flask

from app.web.guards import Pages
from tests.web.visitor import HTMX, Visitor

OPEN_TO_EVERYONE = {"guest", "health", "installing", "invitations", "language", "sign_in", "theme"}


def test_every_route_belongs_to_pages_that_declare_who_may_come_in(pages_app: Flask) -> None:
    for rule in pages_app.url_map.iter_rules():
        if rule.endpoint != "static":
            assert isinstance(pages_app.blueprints[rule.endpoint.partition(".")[0]], Pages), rule


def test_only_these_pages_are_open_to_everyone(pages_app: Flask) -> None:
    pages = [one for one in pages_app.blueprints.values() if isinstance(one, Pages)]
    assert {one.name for one in pages if one.open_to is None} == OPEN_TO_EVERYONE


def test_a_route_that_declares_nothing_stays_shut(pages_app: Flask, admin: Visitor) -> None:
    pages_app.add_url_rule("/forgotten", "forgotten", lambda: "secret")
    assert admin.get("/forgotten").status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/overview",
        "/deliveries",
        "/deliveries/1",
        "/shifts",
        "/shifts/7",
        "/shifts/import",
        "/shifts/new",
        "/publications",
        "/settings/accounts",
        "/inbox",
        "/notifications/1",
        "/notifications/1/go",
        "/inquiries",
        "/conversations/1",
        "/watches",
        "/watches/1",
        "/watches/new",
        "/stores",
        "/stores/1",
        "/reports/new",
        "/reports/1",
        "/settings/notifications",
        "/settings/notifications/devices/1/remove",
    ],
)
def test_who_is_not_signed_in_is_asked_who_it_is_and_comes_back(stranger: Visitor, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 302
    assert answer.location == f"/login?next={path}"


def test_a_part_of_a_page_is_not_answered_with_the_sign_in_page(stranger: Visitor) -> None:
    headers = HTMX | {"HX-Current-URL": "http://localhost/deliveries?state=failed"}
    answer = stranger.get("/deliveries?seen=x", headers=headers)
    assert answer.status_code == 401
    assert "HX-Redirect" not in answer.headers  # what is typed and ticked on the page would go with it
    assert answer.data == b""


def test_an_act_of_a_part_of_a_page_leads_to_signing_in_and_back(stranger: Visitor) -> None:
    headers = HTMX | {"HX-Current-URL": "http://localhost/inbox?box=unread"}
    answer = stranger.post("/notifications/1/open", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["HX-Redirect"] == "/login?next=/inbox?box%3Dunread"


@pytest.mark.parametrize(
    "path",
    [
        "/deliveries.csv",
        "/gates",
        "/gates/pause?gate=line",
        "/audit",
        "/deliveries/1/cancel",
        "/shifts/import",
        "/shifts/new",
        "/shifts/delete",
        "/settings/accounts",
        "/settings/classrooms",
        "/stores/new",
        "/stores/1/archive",
    ],
)
def test_staff_do_not_operate(staff: Visitor, path: str) -> None:
    assert staff.get(path).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/overview",
        "/deliveries",
        "/deliveries/1",
        "/gates",
        "/audit",
        "/shifts",
        "/shifts/1",
        "/publications",
        "/publications/1",
        "/settings/accounts",
        "/help/codes",
    ],
)
def test_members_see_none_of_the_back_office(member: Visitor, path: str) -> None:
    assert member.get(path).status_code == 403


@pytest.mark.parametrize("act", ["retry", "rotate-key", "cancel"])
def test_acts_are_shut_to_staff(staff: Visitor, act: str) -> None:
    assert staff.post(f"/deliveries/1/{act}", attempts="0").status_code == 403


def test_the_front_door_shows_each_reader_to_the_first_place_that_is_theirs(
    admin: Visitor, staff: Visitor, member: Visitor
) -> None:
    assert admin.get("/").location == "/overview"
    assert staff.get("/").location == "/shifts"
    assert member.get("/").location == "/inbox"


def test_the_navigation_shows_only_the_places_of_the_reader(staff: Visitor) -> None:
    page = staff.get("/shifts").text
    assert 'href="/shifts"' in page
    assert 'href="/overview"' in page
    assert 'href="/deliveries"' in page
    assert 'href="/publications"' in page
    assert 'href="/settings/accounts"' not in page
