"""An operator who may not read a subject learns from the ledger no more than what sort of thing was owed."""

from flask import Flask

from app.extensions import db
from app.inbox.notify import notify
from app.kinds import Description, Reader
from app.transaction import writing
from tests.factories import make_account, make_tutor, only_delivery
from tests.fakes.inbox_kind import Greeting
from tests.inbox.inboxes import about, chosen
from tests.web.visitor import Visitor


def test_who_may_not_read_a_subject_is_told_its_sort_alone(app: Flask, kind: Greeting) -> None:
    # Nobody may read a greeting of themselves.
    subject, other = make_account(name="秘密 さくら"), make_account()
    assert kind.describe([subject], Reader(subject, "admin"), "en") == {subject: Description("Shift table", "", None)}
    assert kind.describe([subject], Reader(other, "admin"), "en")[subject].title == "秘密 さくら"
    assert kind.describe([], Reader(other, "admin"), "en") == {}


def test_the_page_of_a_delivery_leads_only_those_to_its_subject_who_may_read_it(
    sqlite_site: Flask, kind: Greeting
) -> None:
    reader, operator, subject = make_tutor(), make_account("admin"), make_account("admin", name="秘密 さくら")
    chosen(reader, "greetings", "line", True)
    with writing() as tx:
        notify(tx, about(subject), [reader])
    address = f"/deliveries/{only_delivery().id}"
    db.session.remove()
    assert f"/greetings/{subject}" in Visitor(sqlite_site, operator).get(address).text
    assert f"/greetings/{subject}" not in _alone(sqlite_site, subject, address)


def _alone(app: Flask, account_id: int, address: str) -> str:
    # In a context of its own: who is signed in is kept in it.
    with app.app_context():
        return Visitor(app, account_id).get(address).text
