"""Promise: a push goes to the devices that agreed to it, whose they are now, and to no others."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from flask import Flask

from app.audit import Actor
from app.clock import now
from app.codes import CancelReason
from app.engine.deliver import deliver
from app.engine.devices import note_answers
from app.i18n import zone
from app.kinds import Due
from app.operations import devices
from app.outbox.attempts import AttemptResult
from app.outbox.models import Delivery
from app.outbox.state import AttemptOutcome, State
from app.reach.models import Device
from app.reach.own_devices import own_devices
from app.reach.preferences import set_preferences
from app.reach.quiet_hours import set_quiet_hours
from app.reach.resolve import DEVICE, Reached, Wanted, resolve
from app.sources.trial.try_device import KIND, try_device
from app.tokens import digest
from app.transaction import writing
from tests.factories import change, delivery, make_account, session_of, signed_in, soon
from tests.fakes.inbox_kind import greeting
from tests.fakes.line_answers import CUT, Answer, reply
from tests.fakes.push import FakePush
from tests.fixtures.background import Background, later
from tests.inbox.browsers import KEY, agreed, devices_now, register, tell


class Interrupting(FakePush):
    """Something happens between a request and its answer."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], None] = lambda: None

    def _scripted(self, path: str) -> Answer:
        self.meanwhile()
        return super()._scripted(path)


@pytest.fixture
def push() -> Iterator[Interrupting]:
    with Interrupting() as fake, greeting():
        yield fake


def fate(owed: int) -> tuple[str, str | None]:
    """The state of a delivery, and why it is no other."""
    found = delivery(owed)
    return found.state, found.cancel_reason or found.failure_code


def _clock(**hours: float) -> str:
    """The time of day so far from now, in the zone of the house."""
    return f"{(now() + timedelta(**hours)).astimezone(zone()):%H:%M}"


REMOVED_BY = [reply(404), reply(410)]
KEPT_AFTER = [
    reply(302, location="/elsewhere"), reply(400), reply(401), reply(403), reply(406), reply(413), reply(418),
    reply(429), reply(500), reply(503), CUT,
]  # fmt: skip


def test_only_an_answer_that_it_is_gone_removes_a_device(app: Flask, push: Interrupting) -> None:
    reader, newcomer = make_account(), make_account()
    answers = {}
    for answer in (*REMOVED_BY, *KEPT_AFTER):
        subscription = push.subscribe(KEY)
        answers[register(reader, subscription)] = answer
        push.script_for(subscription, answer)
    retired = register(reader, push.subscribe(KEY))
    endpoint = "https://permanently-removed.invalid/fcm/send/1"
    change(Device, retired, endpoint=endpoint, endpoint_hash=digest(endpoint))

    deliver("greeting", tell(newcomer, reader), lambda: False)

    left = {device.id: device for device in devices_now()}
    assert set(left) == {device_id for device_id, answer in answers.items() if answer in KEPT_AFTER}
    assert all(device.last_failure_at and device.last_failure_code for device in left.values())
    assert not any(device.last_success_at for device in left.values())


def test_five_devices_of_one_account_have_five_fates(app: Flask, push: Interrupting) -> None:
    reader, newcomer = make_account(), make_account(name="田中")
    browsers = [push.subscribe(KEY) for _ in range(5)]
    ids = [register(reader, one) for one in browsers]
    push.script_for(browsers[1], reply(410))
    push.script_for(browsers[2], reply(503))
    push.script_for(browsers[3], reply(403))
    change(Device, ids[4], auth="damaged")
    waiting = tell(newcomer, reader, key="later")
    for one in waiting:
        change(Delivery, one, state=State.PENDING, next_attempt_at=soon(minutes=1))
    owed = tell(newcomer, reader)

    deliver("greeting", owed, lambda: False)

    assert [fate(one) for one in owed] == [
        ("sent", None),
        ("canceled", "device_gone"),
        ("retry", "PUSH_SERVER_ERROR"),
        ("failed", "PUSH_VAPID_REJECTED"),
        ("failed", "PUSH_ENDPOINT_REFUSED"),
    ]
    assert [one["title"] for one in push.arrived(browsers[0])] == ["田中"]
    assert fate(waiting[1]) == ("canceled", "device_gone")
    seen = {one.id: (bool(one.last_success_at), one.last_failure_code) for one in own_devices(reader, None, KEY)}
    assert seen == {
        ids[0]: (True, None),
        ids[2]: (False, "PUSH_SERVER_ERROR"),
        ids[3]: (False, "PUSH_VAPID_REJECTED"),
        ids[4]: (False, "PUSH_ENDPOINT_REFUSED"),
    }


def test_a_browser_that_subscribed_anew_survives_the_410_of_its_former_subscription(
    app: Flask, push: Interrupting
) -> None:
    reader, newcomer = make_account(), make_account()
    former, fresh = push.subscribe(KEY), push.subscribe(KEY)
    device = register(reader, former, "her phone")
    push.script_for(former, reply(410))
    (owed,) = tell(newcomer, reader)
    (waiting,) = tell(newcomer, reader, key="later")

    def subscribe_anew() -> None:
        with app.app_context():
            register(reader, fresh, "her phone")

    push.meanwhile = subscribe_anew
    deliver("greeting", [owed], lambda: False)
    push.meanwhile = lambda: None

    assert fate(owed) == ("canceled", "device_gone")
    assert [one.id for one in devices_now()] == [device]
    deliver("greeting", [waiting], lambda: False)
    assert fate(waiting) == ("sent", None)
    assert len(push.arrived(fresh)) == 1


def test_the_next_person_gets_nothing_of_the_last_one_and_the_last_one_nothing_there(
    app: Flask, push: Interrupting
) -> None:
    former, present, newcomer = make_account(), make_account(), make_account()
    browser = push.subscribe(KEY)
    device = register(former, browser, "the shop's tablet")
    (waiting,) = tell(newcomer, former)
    assert register(present, browser, "the shop's tablet") == device
    assert fate(waiting) == ("canceled", "device_moved")
    assert tell(newcomer, former, key="after") == []

    deliver("greeting", tell(newcomer, present), lambda: False)

    assert len(push.arrived(browser)) == 1
    (only,) = devices_now()
    assert only.account_id == present


def test_a_push_under_way_while_the_device_moves_ends_before_it_is_tried_again(app: Flask, push: Interrupting) -> None:
    former, present, newcomer = make_account(), make_account(), make_account()
    browser = push.subscribe(KEY)
    register(former, browser)
    push.script_for(browser, reply(503))
    (owed,) = tell(newcomer, former)

    def move() -> None:
        with app.app_context():
            register(present, browser)

    push.meanwhile = move
    deliver("greeting", [owed], lambda: False)
    assert fate(owed) == ("retry", "PUSH_SERVER_ERROR")
    with later(minutes=10):
        deliver("greeting", [owed], lambda: False)
    assert fate(owed) == ("canceled", "device_moved")
    assert push.arrived(browser) == []


def test_a_browser_that_comes_back_as_somebody_else_leaves_no_device_behind(app: Flask, push: Interrupting) -> None:
    former, present, newcomer = make_account(), make_account(), make_account()
    register(former, push.subscribe(KEY), "one browser")
    (waiting,) = tell(newcomer, former)
    fresh = register(present, push.subscribe(KEY), "one browser")
    assert [one.id for one in devices_now()] == [fresh]
    assert fate(waiting) == ("canceled", "device_moved")


def test_the_browser_itself_renews_only_what_the_account_has_there(app: Flask, push: Interrupting) -> None:
    owner, other = make_account(), make_account()
    former, fresh = push.subscribe(KEY), push.subscribe(KEY)
    device = register(owner, former, "one browser")
    hers, another = session_of(signed_in(owner)), session_of(signed_in(other))
    with writing() as tx:
        assert not devices.renew(tx, other, former["endpoint"], agreed(fresh, "one browser"), another)
    assert [one.endpoint for one in devices_now()] == [former["endpoint"]]
    with writing() as tx:
        assert devices.renew(tx, owner, former["endpoint"], agreed(fresh, "cookie lost"), hers)
    assert [(one.id, one.endpoint) for one in devices_now()] == [(device, fresh["endpoint"])]


def test_registering_again_changes_nothing_that_the_person_made_of_it(app: Flask, push: Interrupting) -> None:
    reader, newcomer = make_account(), make_account()
    browser = push.subscribe(KEY)
    device = register(reader, browser)
    with writing() as tx:
        devices.rename(tx, reader, device, "台所のタブレット")
    (waiting,) = tell(newcomer, reader)
    assert register(reader, browser, language="en") == device
    (only,) = devices_now()
    assert (only.name, only.language) == ("台所のタブレット", "en")
    deliver("greeting", [waiting], lambda: False)
    assert fate(waiting) == ("sent", None)


def test_quiet_hours_put_a_push_off_without_a_try_and_a_test_goes_through(
    app: Flask, background: Background, push: Interrupting
) -> None:
    reader, newcomer = make_account(), make_account()
    browser = push.subscribe(KEY)
    device = register(reader, browser)
    with writing() as tx:
        set_quiet_hours(tx, reader, _clock(hours=-1), _clock(hours=2))
    (owed,) = tell(newcomer, reader)
    background.work()
    held = delivery(owed)
    assert (held.state, held.attempts) == ("pending", 0)
    assert held.next_attempt_at is not None
    with writing() as tx:
        trial = try_device(tx, reader, device)
    background.work()
    assert fate(trial) == ("sent", None)
    assert [(one["id"], one["path"]) for one in push.arrived(browser)] == [(None, "/settings/notifications")]
    with later(hours=2, minutes=1):
        background.run()
    assert fate(owed) == ("sent", None)


def test_what_is_switched_off_while_it_waits_is_not_sent(app: Flask, push: Interrupting) -> None:
    reader, newcomer = make_account(), make_account()
    browser = push.subscribe(KEY)
    register(reader, browser)
    (owed,) = tell(newcomer, reader)
    with writing() as tx:
        set_preferences(tx, reader, {("greetings", "web_push"): False})
    deliver("greeting", [owed], lambda: False)
    assert fate(owed) == ("canceled", "preference_off")
    with writing() as tx:
        set_preferences(tx, reader, {("greetings", "web_push"): True})
    deliver("greeting", tell(newcomer, reader, key="again"), lambda: False)
    assert len(push.arrived(browser)) == 1


def test_a_test_push_that_fails_says_so_after_one_try(app: Flask, push: Interrupting) -> None:
    reader = make_account()
    browser = push.subscribe(KEY)
    device = register(reader, browser)
    push.script_for(browser, reply(503))
    with writing() as tx:
        trial = try_device(tx, reader, device)
    deliver(KIND, [trial], lambda: False)
    assert fate(trial) == ("failed", "PUSH_SERVER_ERROR")
    assert delivery(trial).attempts == 1


def test_the_id_of_a_removed_device_is_never_given_again(app: Flask, push: Interrupting) -> None:
    reader, newcomer = make_account(), make_account()
    first = register(reader, push.subscribe(KEY), "first")
    (waiting,) = tell(newcomer, reader)
    with writing() as tx:
        assert devices.remove_others(tx, Actor(reader, "佐藤"), reader, None) == 1
    assert fate(waiting) == ("canceled", "device_removed")
    assert register(reader, push.subscribe(KEY), "second") > first


def test_the_410_of_a_former_subscription_says_nothing_of_the_fresh_one_that_answered_with_it(
    app: Flask, push: Interrupting
) -> None:
    reader, newcomer = make_account(), make_account()
    former, fresh = push.subscribe(KEY), push.subscribe(KEY)
    device = register(reader, former, "her phone")
    (owed,) = tell(newcomer, reader)
    old = resolve([Wanted(owed, DEVICE, device, reader)])[owed]
    register(reader, fresh, "her phone")
    new = resolve([Wanted(owed, DEVICE, device, reader)])[owed]
    gone = AttemptResult(AttemptOutcome.GONE, False, "PUSH_GONE")
    accepted = AttemptResult(AttemptOutcome.ACCEPTED, True)
    with writing() as tx:
        note_answers(tx, [(due_at(owed, reader, old), gone), (due_at(owed, reader, new), accepted)])
    (only,) = devices_now()
    assert (only.id, only.last_success_at is None) == (device, False)


def due_at(owed: int, reader: int, reached: Reached | CancelReason) -> Due:
    """A delivery on its way there."""
    assert isinstance(reached, Reached)
    return Due(owed, "greeting", "web_push", "account", 1, None, reader, None, reached.address, "ja")


@pytest.mark.parametrize("answer", [reply(201), reply(503)])
def test_an_answer_that_comes_after_the_device_moved_says_nothing_to_its_next_owner(
    app: Flask, push: Interrupting, answer: Answer
) -> None:
    former, present, newcomer = make_account(), make_account(), make_account()
    browser = push.subscribe(KEY)
    register(former, browser)
    push.script_for(browser, answer)
    (owed,) = tell(newcomer, former)

    def move() -> None:
        with app.app_context():
            register(present, browser)

    push.meanwhile = move
    deliver("greeting", [owed], lambda: False)
    (device,) = devices_now()
    assert (device.account_id, device.last_success_at, device.last_failure_at) == (present, None, None)
