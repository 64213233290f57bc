"""So many people, each with a browser that takes pushes."""

from sqlalchemy import insert

from app.accounts.models import Account
from app.clock import now
from app.reach.addresses import push_gate
from app.reach.models import Device
from app.sandbox.web_push import new_browser, subscription_of
from app.tokens import digest
from app.transaction import slices, writing

SUBJECT = 1
"""The account that they are told of, which has no browser."""


def gather(origin: str, number: int) -> range:
    """Put them and their browsers, all of this push service, into the database; their ids."""
    people, at, browser = range(SUBJECT + 1, SUBJECT + 1 + number), now(), new_browser(None)
    account = {"role": "member", "language": "en", "active": True, "created_at": at}
    accounts = [
        account | {"id": one, "email": f"a{one}@example.jp", "name": f"name {one}"} for one in (SUBJECT, *people)
    ]
    devices = [
        {
            "account_id": one, "endpoint": (own := subscription_of(browser, f"{origin}/push/{one}"))["endpoint"],
            "endpoint_hash": digest(own["endpoint"]), "gate_key": push_gate(own["endpoint"]),
            **own["keys"], "vapid_key": "v", "name": "Firefox",
            "language": "en", "created_at": at,
        }
        for one in people
    ]  # fmt: skip
    for table, rows in ((Account, accounts), (Device, devices)):
        for some in slices(rows):
            with writing() as tx:
                tx.session.execute(insert(table), some)
    return people
