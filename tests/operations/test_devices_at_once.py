"""Two who register one browser at the same moment: the later one has it, one row stays, and nobody gets an error."""

from typing import Any

import pytest
from flask import Flask

from app.audit import Actor
from app.operations import devices
from app.tokens import digest
from app.transaction import Transaction
from tests.factories import make_account, session_of, signed_in
from tests.inbox.browsers import agreed, devices_now, register
from tests.racing import Act, race

COOKIE = "one browser"


def at(endpoint: str) -> dict[str, Any]:
    return {"endpoint": f"https://push.example/{endpoint}", "keys": {"p256dh": "p", "auth": "a"}}


def registers(account: int, endpoint: str) -> Act:
    return lambda tx: devices.register(tx, Actor(account, ""), account, agreed(at(endpoint), COOKIE), None)


def renews(account: int, endpoint: str) -> Act:
    session = session_of(signed_in(account))
    return lambda tx: devices.renew(tx, account, at("former")["endpoint"], agreed(at(endpoint), COOKIE), session)


def test_of_two_tabs_of_two_people_the_later_one_has_the_browser(app: Flask) -> None:
    first, second = make_account(), make_account()
    race(app, registers(first, "one"), registers(second, "two"))
    assert [(one.account_id, one.endpoint) for one in devices_now()] == [(second, at("two")["endpoint"])]


def test_of_two_tabs_of_one_person_the_later_one_is_kept(app: Flask) -> None:
    owner = make_account()
    race(app, registers(owner, "one"), registers(owner, "two"))
    assert [(one.account_id, one.endpoint) for one in devices_now()] == [(owner, at("two")["endpoint"])]


@pytest.mark.parametrize("renewal", ["first", "second"])
def test_a_renewal_meets_somebody_elses_registration(app: Flask, renewal: str) -> None:
    owner, other = make_account(), make_account()
    register(owner, at("former"), "the cookie of before")
    acts = [renews(owner, "renewed"), registers(other, "two")]
    race(app, *(acts if renewal == "first" else reversed(acts)))
    later = (other, "two") if renewal == "first" else (owner, "renewed")
    assert [(one.account_id, one.endpoint) for one in devices_now()] == [(later[0], at(later[1])["endpoint"])]


def test_a_browser_that_is_recognised_meets_somebody_elses_registration(app: Flask) -> None:
    owner, other = make_account(), make_account()
    register(owner, at("hers"), "the cookie of before")
    session = session_of(signed_in(owner))

    def recognised(tx: Transaction) -> None:
        whose = devices.recognise(tx, owner, at("hers")["endpoint"], digest(COOKIE), session)
        assert whose == "yours"

    race(app, registers(other, "two"), recognised)
    assert [(one.account_id, one.browser_hash) for one in devices_now()] == [(owner, digest(COOKIE))]
