"""Inquiries and conversations in which the site's administrator has a part, for browsers to look at."""

from sqlalchemy import select

from app.accounts.models import Account
from app.extensions import db
from app.sources.conversations import attend
from tests.factories import make_account
from tests.sources.conversations.talk import actor, ask, do, let_ask, make_store, say, start, write

LONG = "お世話になっております。取り寄せをお願いした参考書ですが、来週の授業までに間に合うでしょうか。" * 4


def talked() -> list[str]:
    """Make it all; the addresses of the pages that matter."""
    admin = db.session.scalars(select(Account.id).where(Account.role == "admin")).one()
    asker, friend = make_account(name="髙橋 花子"), make_account(name="Emma Brown")
    make_account("staff", name="湊 陽子")
    store = make_store(admin, name="ことのは書店 渋谷")
    answered = ask(asker, store, text=LONG, subject="参考書の取り寄せと、来週の授業までの到着予定について")
    let_ask(asker, answered, friend)
    write(admin, answered, text="三、四日で届きます。\n届いたらお知らせします。📚")
    write(asker, answered, text="https://example.jp/a-very-long-address-without-any-place-to-break/" + "x" * 120)
    own = ask(admin, make_store(name="Yokohama"), text="Until when are you open?", subject="Opening hours")
    do(attend.close, actor(admin), own)
    talk = start(admin, asker, friend, text=LONG)
    say(friend, talk, text="Fine with me 👍")
    return [
        "/inquiries", "/inquiries?closed=1", "/inquiries/new", f"/inquiries/{answered}", f"/inquiries/{own}",
        "/conversations", "/conversations/new", f"/conversations/{talk}",
    ]  # fmt: skip
