"""Announcements as those find them for whom they are."""

import re
from html import unescape

import pytest
from flask import Flask

from app.accounts.models import Account
from tests.factories import change, make_account
from tests.web.announcements.author import BOTH, JAPANESE, drafted, edited, press_archive, publish_many, published
from tests.web.visitor import Visitor, text_of

ROUTES = ("/edit", "/publish", "/archive")


def titles(visitor: Visitor, path: str = "/announcements") -> list[str]:
    """The titles of the list, as it shows them."""
    return re.findall(r'<td class="first whole"><a [^>]*>([^<]+)</a>', visitor.get(path).text)


def test_everybody_finds_what_is_for_them_the_newest_first(admin: Visitor, staff: Visitor, member: Visitor) -> None:
    paths = {one: published(admin, title_en=f"For {one}", audience=one) for one in ("everyone", "staff", "members")}
    assert titles(member) == ["For members", "For everyone"]
    assert titles(staff) == ["For staff", "For everyone"]
    assert titles(admin) == ["For members", "For staff", "For everyone"]
    answers = {
        one: [visitor.get(path).status_code for visitor in (member, staff, admin)] for one, path in paths.items()
    }
    assert answers == {"everyone": [200, 200, 200], "staff": [404, 200, 200], "members": [200, 404, 200]}


def test_what_is_a_draft_or_archived_is_there_for_its_authors_alone(
    admin: Visitor, staff: Visitor, member: Visitor
) -> None:
    draft, gone = drafted(admin, title_en="Draft"), published(admin, title_en="Gone")
    press_archive(admin, gone)
    for one in (staff, member):
        for path in ("/announcements", "/announcements?state=draft", "/announcements?state=archived"):
            assert titles(one, path) == []
        assert "Nothing is announced" in text_of(one.get("/announcements"))
        assert [one.get(path).status_code for path in (draft, gone)] == [404, 404]
    assert titles(admin, "/announcements?state=draft") == ["Draft"]
    assert titles(admin, "/announcements?state=archived") == ["Gone"]
    assert admin.get("/announcements?state=what").status_code == 200


def test_each_reads_it_in_their_language_with_its_lines(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    path = published(admin)
    page = member.get(path).text
    assert "<h1>Closed in winter</h1>" in page
    assert '<p class="note">From the 29th.\nBack on the 4th.</p>' in page
    with pages_app.app_context():
        japanese = Visitor(pages_app, make_account(), "ja")
    assert "<h1>年末の休業</h1>" in japanese.get(path).text
    assert titles(japanese) == ["年末の休業"]


def test_a_text_in_another_language_than_the_page_says_which(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    with pages_app.app_context():
        make_account()
    path = published(admin, **JAPANESE)
    assert f'<a href="{path}" lang="ja">年末の休業</a>' in member.get("/announcements").text
    page = member.get(path).text
    assert '<h1 lang="ja">年末の休業</h1>' in page
    assert '<p class="note" lang="ja">' in page
    assert '<html lang="en"' in page


def test_addresses_in_the_text_are_links_and_nothing_else_in_it_is_more_than_text(
    admin: Visitor, member: Visitor
) -> None:
    first, second = "https://example.jp/a?b=1&amp;c=2", "http://example.com/x"
    body = f"<script>x</script>\n詳細は{unescape(first)}をご覧ください。({second}). javascript:x"
    path = published(admin, title_en="Title", body_en=body)
    for visitor in (admin, member):
        page = visitor.get(path).text
        assert f'詳細は<a href="{first}" rel="noopener nofollow">{first}</a>をご覧' in page
        assert f'(<a href="{second}" rel="noopener nofollow">{second}</a>). javascript:x' in page
        assert "&lt;script&gt;x&lt;/script&gt;\n" in page
        assert "<script>x" not in page


@pytest.mark.parametrize("text", ['https://a"onclick="x', "https://<b>", "https://a'x='"])
def test_no_address_breaks_out_of_its_link(admin: Visitor, text: str) -> None:
    page = admin.get(published(admin, title_en="Title", body_en=text)).text
    assert text not in page


def test_readers_see_that_it_was_edited(admin: Visitor, member: Visitor) -> None:
    path = published(admin)
    assert 'id="edited"' not in member.get(path).text
    edited(admin, path, title_en="Closed all winter")
    page = member.get(path)
    assert 'id="edited"' in page.text
    assert "Closed all winter" in text_of(page)


def test_nobody_but_administrators_writes_anything(
    admin: Visitor, staff: Visitor, member: Visitor, stranger: Visitor
) -> None:
    path = published(admin)
    for one in (staff, member):
        assert "/announcements/new" not in one.get("/announcements").text
        assert [one.get(f"{path}{act}").status_code for act in ROUTES] == [403, 403, 403]
        assert one.get("/announcements/new").status_code == 403
        for act in ("/announcements/new", *(f"{path}{act}" for act in (*ROUTES, "/keep-as-draft"))):
            assert one.post(act, **BOTH).status_code == 403
        page = one.get(path).text
        assert "/archive" not in page
        assert "<progress" not in page
        assert "hx-get" not in page.partition("<main")[2].partition("</main>")[0]
    for address in ("/announcements", path, "/announcements/new", f"{path}/edit"):
        assert stranger.get(address).location == f"/login?next={address}"


def test_a_suspended_reader_is_asked_who_they_are(pages_app: Flask, admin: Visitor, member: Visitor) -> None:
    path = published(admin)
    with pages_app.app_context():
        assert member.account_id is not None
        change(Account, member.account_id, active=False)
    for address in ("/announcements", path):
        assert member.get(address).status_code == 302


def test_what_was_never_written_is_not_there(admin: Visitor, member: Visitor) -> None:
    assert [one.get("/announcements/77").status_code for one in (admin, member)] == [404, 404]
    assert [admin.get(f"/announcements/77{act}").status_code for act in ROUTES] == [404, 404, 404]
    for act in (*ROUTES, "/keep-as-draft"):
        assert admin.post(f"/announcements/77{act}", seen="1", **BOTH).status_code == 404


@pytest.mark.parametrize("reader", ["admin", "member"])
def test_many_are_paged(pages_app: Flask, admin: Visitor, member: Visitor, reader: str) -> None:
    publish_many(pages_app, admin, 52)
    visitor = {"admin": admin, "member": member}[reader]
    older = re.search(r'id="older" href="([^"]+)"', visitor.get("/announcements").text)
    assert older is not None
    shown = [titles(visitor), titles(visitor, older.group(1).replace("&amp;", "&"))]
    assert [len(one) for one in shown] == [50, 2]
    assert [*shown[0], *shown[1]] == [f"Number {number:02}" for number in reversed(range(52))]
