"""Arrows point down only: which part of the house stands above which."""

from collections.abc import Iterator

from tests.architecture.code import Breach, Module, is_within

GROUND = (
    "kinds", "codes", "audit", "pulse", "transaction", "http", "tokens", "columns", "clock", "config", "extensions",
    "faults", "i18n", "logs", "bounds", "names", "once", "place", "retry_after", "schema", "vapid",
)  # fmt: skip

LEVELS = {f"app.{name}": 0 for name in GROUND} | {
    "app.accounts": 1,
    "app.outbox": 2,
    "app.channels": 2,
    "app.reach": 2,
    "app.inbox": 3,
    "app.engine": 4,
    "app.sources": 4,
    "app.operations": 5,
    "app.web": 6,
    "app.background": 6,
    "app.cli": 7,
    "app": 8,
    "app.start": 9,
    "worker": 9,
    "wsgi": 9,
}

MAKES_ITS_OWN_APP = "app.background.pool"
"""Each process that it spawns begins with nothing, so it makes an app, as wsgi.py does for the web."""

SANDBOX = "app.sandbox"


def arrows_point_down(module: Module) -> Iterator[Breach]:
    """A module imports its own part of the house and what stands below it."""
    here = part_of(module.name)
    if here is None:
        yield Breach(module.path, 1, f"{module.name} has no place in the house of DESIGN.md section 3")
        return
    for one in module.imports:
        if one.module.startswith("."):
            yield module.breach(one, "names are imported in full, from app on")
        elif is_within(one.module, ["app", "wsgi", "worker"]) and not _points_down(module.name, here, one.module):
            yield module.breach(one, f"{here} must not import {one.module}: arrows point down only")


def part_of(name: str) -> str | None:
    """The part of the house that a module belongs to; None if it has no place."""
    if is_within(name, [SANDBOX]):
        return SANDBOX
    if name in ("app", "wsgi", "worker"):
        return name
    part = ".".join(name.split(".")[:2])
    return part if part in LEVELS else None


def _points_down(name: str, here: str, target: str) -> bool:
    there = part_of(target)
    if there is None:
        return False
    if SANDBOX in (here, there):
        return here == SANDBOX and there in (SANDBOX, "app.config", "app.clock")
    if here == there:
        return here != "app.sources" or name == "app.sources" or _source_of(name) == _source_of(target)
    if LEVELS[here] == LEVELS[there] == 0:
        return True
    return LEVELS[there] < LEVELS[here] or (name == MAKES_ITS_OWN_APP and target == "app")


def _source_of(name: str) -> str:
    return ".".join(name.split(".")[:3])
