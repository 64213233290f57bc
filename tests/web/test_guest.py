"""Watching without an account: coming in, what a guest may see, signing in later, and being forgotten."""

from datetime import timedelta

import pytest
from flask import Flask

from app import create_app
from app.accounts import known
from app.accounts.models import Account
from app.extensions import db
from app.sources.prices.models import Watch
from app.sources.prices.watch import MOST_OF_A_GUEST
from tests.factories import change, make_account
from tests.fakes.shop import FakeShop
from tests.fixtures.settings import settings_for
from tests.sources.prices.town import watching
from tests.web.visitor import Visitor, text_of
from tests.web.watches.shopping import watch

PASSWORD = "a password of hers"


@pytest.fixture
def email(pages_app: Flask) -> str:
    """The e-mail address of a member who can sign in."""
    with pages_app.app_context():
        return db.session.get_one(Account, make_account(language="en", password=PASSWORD)).email


def accounts(app: Flask) -> int:
    with app.app_context():
        return db.session.query(Account).count()


def test_who_comes_by_is_told_what_it_means_and_nothing_is_kept_until_they_want_it(
    pages_app: Flask, stranger: Visitor
) -> None:
    assert 'href="/guest"' in stranger.get("/login").text
    page = stranger.get("/guest")
    assert "A cookie makes this browser known again" in text_of(page)
    assert stranger.client.get_cookie("guest") is None
    assert accounts(pages_app) == 0


def test_a_guest_is_known_by_a_cookie_that_outlives_the_browser(pages_app: Flask, stranger: Visitor) -> None:
    assert stranger.post("/guest").location == "/watches/new"
    cookie = stranger.client.get_cookie("guest")
    assert cookie is not None
    assert cookie.max_age == timedelta(days=365) // timedelta(seconds=1)
    assert (cookie.http_only, cookie.same_site) == (True, "Lax")
    stranger.client.delete_cookie("session")
    assert stranger.get("/watches/new").status_code == 200


def test_whoever_is_known_becomes_no_other_guest(pages_app: Flask, stranger: Visitor, member: Visitor) -> None:
    there_were = accounts(pages_app)
    for visitor in (stranger, stranger, member):
        assert visitor.post("/guest", next="/watches").location == "/watches"
    assert accounts(pages_app) == there_were + 1
    assert member.client.get_cookie("guest") is None
    assert stranger.get("/guest").location == "/watches/new"


def test_one_network_address_makes_few_guests(pages_app: Flask) -> None:
    answers = [Visitor(pages_app).post("/guest") for _ in range(6)]
    assert [one.status_code for one in answers] == [303] * 5 + [429]
    assert "Wait 1 hour" in text_of(answers[-1])
    assert answers[-1].headers["Retry-After"] == "3600"


def test_guests_of_one_network_address_share_its_limit_of_writes(pages_app: Flask) -> None:
    first, second = Visitor(pages_app), Visitor(pages_app)
    for one in (first, second):
        one.post("/guest")
    answers = [one.post("/watches/new", url="x").status_code for _ in range(16) for one in (first, second)]
    assert answers == [422] * 30 + [429] * 2


@pytest.mark.parametrize(("said", "comes_in"), [(None, False), (False, False), (True, True)])
def test_where_others_reach_the_pages_guests_come_in_only_if_that_was_said(
    sqlite_url: str, said: bool | None, comes_in: bool
) -> None:
    public = {"base_url": "https://todoke.example.jp", "guests": said}
    app = create_app(settings_for(sqlite_url).model_copy(update=public))
    visitor = Visitor(app)
    assert ('href="/guest"' in visitor.get("/login").text) is comes_in
    assert visitor.get("/guest").status_code == (200 if comes_in else 404)
    with app.app_context():
        db.engine.dispose()


def test_a_guest_sees_watches_inbox_and_how_they_are_told_and_is_asked_who_they_are_elsewhere(guest: Visitor) -> None:
    assert guest.get("/").location == "/watches"
    for address in ("/watches", "/watches/new", "/inbox", "/settings/notifications"):
        assert guest.get(address).status_code == 200, address
    assert guest.get("/announcements").location == "/login?next=/announcements"
    assert guest.get("/login?next=/announcements").status_code == 200
    navigation = text_of(guest.get("/watches"))
    assert "Announcements" not in navigation
    assert "Sign in" in navigation
    assert "Sign out" not in navigation


def test_the_watches_of_others_are_none_of_a_guests_business(
    pages_app: Flask, guest: Visitor, member: Visitor, shop: FakeShop
) -> None:
    with pages_app.app_context():
        others = watching(member.account_id or 0, shop.sells("kettle", "1980"))
    assert guest.get(f"/watches/{others}").status_code == 404
    assert guest.post(f"/watches/{others}/remove").status_code == 404


def test_a_guest_watches_few_things(pages_app: Flask, guest: Visitor, shop: FakeShop) -> None:
    with pages_app.app_context():
        for number in range(MOST_OF_A_GUEST):
            watching(guest.account_id or 0, shop.sells(f"kettle{number}", "1980"))
    full = watch(guest, shop.sells("kettle", "1980"), target="1500")
    assert full.status_code == 422
    assert f"You watch {MOST_OF_A_GUEST} things already." in text_of(full)


def test_who_signs_in_finds_there_what_they_watched_as_a_guest(
    pages_app: Flask, guest: Visitor, email: str, shop: FakeShop
) -> None:
    watch(guest, shop.sells("kettle", "1980"), target="1500")
    answer = guest.post("/login", email=email, password=PASSWORD, next="/watches")
    assert answer.status_code == 303
    assert guest.client.get_cookie("guest") is None
    page = text_of(guest.get("/watches"))
    assert "What you watched as a guest is in your account now." in page
    assert "kettle" in page
    assert "Sign out" in page


def test_what_leads_to_a_guests_watch_leads_to_the_accounts_own_of_the_same(
    pages_app: Flask, guest: Visitor, email: str, shop: FakeShop
) -> None:
    kettle = shop.sells("kettle", "1980")
    with pages_app.app_context():
        own = watching(known.id_of(email), kettle)
    theirs = watch(guest, kettle, target="1500").location
    guest.post("/login", email=email, password=PASSWORD)
    assert guest.get(theirs).location == f"/watches/{own}"


def test_a_wrong_password_leaves_the_guest_as_they_were(
    pages_app: Flask, guest: Visitor, email: str, shop: FakeShop
) -> None:
    watch(guest, shop.sells("kettle", "1980"), target="1500")
    assert guest.post("/login", email=email, password="not hers at all").status_code == 422
    assert "kettle" in text_of(guest.get("/watches"))


def test_being_forgotten_is_asked_about_and_then_nothing_is_left(
    pages_app: Flask, guest: Visitor, shop: FakeShop
) -> None:
    watch(guest, shop.sells("kettle", "1980"), target="1500")
    assert guest.post("/logout").location == "/guest/forget"
    assert "It cannot be undone." in text_of(guest.get("/guest/forget"))
    copy = Visitor(pages_app)
    cookie = guest.client.get_cookie("guest")
    assert cookie is not None
    copy.client.set_cookie("guest", cookie.value)
    assert copy.get("/watches").status_code == 200
    assert "You are forgotten here" in text_of(guest.client.post(
        "/guest/forget", data={"csrf_token": guest.token()}, follow_redirects=True
    ))  # fmt: skip
    assert guest.client.get_cookie("guest") is None
    assert copy.get("/watches").location == "/login?next=/watches"
    assert copy.post("/guest/forget").status_code == 303
    with pages_app.app_context():
        assert db.session.query(Watch).count() == 0


def test_a_suspended_guest_is_nobody(pages_app: Flask, guest: Visitor) -> None:
    with pages_app.app_context():
        change(Account, guest.account_id or 0, active=False)
    assert guest.get("/watches").location == "/login?next=/watches"


def test_the_cookie_of_a_guest_opens_no_other_account(pages_app: Flask, member: Visitor) -> None:
    with member.client.session_transaction() as session:
        secret = session["_user_id"]
    thief = Visitor(pages_app)
    thief.client.set_cookie("guest", secret)
    assert thief.get("/inbox").location == "/login?next=/inbox"


def test_an_administrator_sees_what_a_guest_is_and_can_end_it(admin: Visitor, guest: Visitor) -> None:
    address = f"/settings/accounts/{guest.account_id}"
    assert "GUEST" not in text_of(admin.get("/settings/accounts"))
    page = admin.get(address)
    assert "who is known by one browser alone" in text_of(page)
    assert "GUEST" not in page.text
    refused = admin.post(f"{address}/role", role="admin")
    assert refused.status_code == 422
    assert "This is a guest" in text_of(refused)
    admin.post(f"{address}/suspend")
    assert guest.get("/watches").status_code == 302
