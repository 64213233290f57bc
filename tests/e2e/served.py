"""The inbox, the stores, the reports and the devices of the site's administrator, for browsers to look at."""

from sqlalchemy import select

from app.accounts.models import Account
from app.extensions import db
from app.inbox import marks
from app.inbox.models import Notification
from app.transaction import writing
from tests.factories import make_account
from tests.inbox.inboxes import make_device
from tests.sources.stores.town import make_store, react_as, report_at, resolve_as


def served() -> list[str]:
    """Make it all; the addresses of the pages that matter."""
    admin = db.session.scalars(select(Account.id).where(Account.role == "admin")).one()
    reporter, clerk = make_account(name="髙橋 花子"), make_account(name="Emma Brown")
    store = make_store(admin, clerk, name="ことのは書店 渋谷スクランブル交差点前店")
    make_store(admin, name="Yokohama", set_up=False)
    report = report_at(store, reporter, title="自動ドアが開かないので、閉店後にシャッターが下ろせません")
    own = report_at(store, admin, title="The card reader says that the connection was lost")
    react_as(reporter, own)
    resolve_as(clerk, own)
    first = db.session.scalars(select(Notification.id).where(Notification.account_id == admin)).all()
    with writing() as tx:
        marks.mark_read(tx, admin, first[:1])
        marks.archive(tx, admin, first[1:2])
    devices = [make_device(admin, name=name) for name in ("Chrome · Android", "Safari · iPhone of the whole family")]
    return [
        "/inbox", "/inbox?box=unread", "/inbox?box=archived", "/inbox?q=zebra", "/stores", f"/stores/{store}",
        "/stores/new", f"/stores/{store}/edit", f"/stores/{store}/hand-over", f"/stores/{store}/archive", "/reports",
        "/reports?state=resolved", "/reports/new", f"/reports/{report}", f"/reports/{own}", f"/reports/{own}/delete",
        "/settings/notifications", f"/settings/notifications/devices/{devices[0]}/remove",
        "/settings/notifications/devices/remove-others",
    ]  # fmt: skip
