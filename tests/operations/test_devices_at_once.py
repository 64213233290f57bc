"""Two who register one browser at the same moment: the later one has it, one row stays, and nobody gets an error."""

from typing import Any

import pytest
from flask import Flask

from app.audit import Actor
from app.engine.devices import note_answers
from app.kinds import Address, Due
from app.operations import devices
from app.outbox.attempts import AttemptResult
from app.outbox.state import AttemptOutcome
from app.reach.models import Device
from app.reach.resolve import DEVICE, Reached, Wanted, resolve
from app.tokens import digest
from app.transaction import Transaction, writing
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


def test_an_answer_that_is_noted_and_a_registration_never_wait_for_each_other(app: Flask) -> None:
    owner, other = make_account(), make_account()
    device = register(owner, at("one"), COOKIE)
    pushed = Due(1, "probe", "web_push", "shift", 1, None, owner, None, address_of(device), "ja")
    accepted = AttemptResult(AttemptOutcome.ACCEPTED, may_have_arrived=True)
    race(
        app,
        first=lambda tx: tx.lock(Device),
        second=lambda tx: note_answers(tx, [(pushed, accepted)]),
        then=registers(other, "one"),
    )
    assert [one.account_id for one in devices_now()] == [other]


def address_of(device: int) -> Address:
    """As the push went there."""
    with writing() as tx:
        reached = resolve([Wanted(1, DEVICE, device, tx.session.get_one(Device, device).account_id)])[1]
    assert isinstance(reached, Reached)
    return reached.address
