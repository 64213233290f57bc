"""Rules 6 to 8: who may write a state, commit, tell the time and throw dice."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.code import Breach, Module, last_name

WRITES_STATES = ("app.outbox.transitions", "app.outbox.enqueue")
RAW_WRITE = re.compile(r"\b(update|insert\s+into|delete\s+from)\s+delivery\b", re.IGNORECASE)

COMMITS = {"commit", "begin_nested", "bulk_save_objects", "raw_connection"}
CAN_BEGIN = {"session", "engine", "connection", "db", "Session"}

CLOCKS = ("app.clock", "app.bounds")
"""bounds.py measures one call while the wall clock may be moved, and says so there."""
WALL_CLOCKS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today")}
SQL_CLOCKS = {("func", "now"), ("func", "current_timestamp"), ("func", "localtimestamp")}
HARMLESS_IN_TIME = {"sleep"}

DICE = ("app.tokens", "app.engine.backoff", "app.sandbox")
RANDOM_MODULES = {"random", "secrets"}
RANDOM_NAMES = {"uuid1", "uuid4", "urandom", "SystemRandom"}


def states_are_written_in_the_ledger_alone(module: Module) -> Iterator[Breach]:
    """6: `Delivery.state` is written by the verbs of transitions.py and by the insert of enqueue.py."""
    if module.name in WRITES_STATES:
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr == "state":
            yield module.breach(node, "a state is written in outbox/transitions.py only (rule 6)")
        elif _writes_deliveries(node):
            yield module.breach(node, "deliveries are written in outbox/transitions.py and enqueue.py only (rule 6)")


def _writes_deliveries(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return RAW_WRITE.search(node.value) is not None
    if not isinstance(node, ast.Call):
        return False
    named, given = last_name(node.func), node.args
    if named == "setattr":
        return len(given) > 1 and isinstance(given[1], ast.Constant) and given[1].value == "state"
    on_deliveries = bool(given) and last_name(given[0]) == "Delivery"
    return named == "Delivery" or (named in ("update", "insert", "delete") and on_deliveries)


def only_writing_commits(module: Module) -> Iterator[Breach]:
    """7: every write is inside `writing()`; nothing else begins or commits."""
    if module.within("app.transaction", "app.sandbox"):
        return
    for node in module.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        begins = node.func.attr == "begin" and last_name(node.func.value) in CAN_BEGIN
        if begins or node.func.attr in COMMITS:
            yield module.breach(node, f".{node.func.attr}() is for app/transaction.py alone (rule 7)")


def time_comes_from_the_clock(module: Module) -> Iterator[Breach]:
    """8a: the only source of time is app/clock.py."""
    if module.name in CLOCKS:
        return
    for one in module.imports:
        if one.module == "time" and one.name is not None and one.name not in HARMLESS_IN_TIME:
            yield module.breach(one, f"time.{one.name}: time comes from app/clock.py (rule 8)")
    for node in module.nodes:
        if isinstance(node, ast.Attribute):
            said = (last_name(node.value), node.attr)
            reads_time = said[0] == "time" and isinstance(node.value, ast.Name) and _imports_time(module)
            if said in WALL_CLOCKS | SQL_CLOCKS or (reads_time and node.attr not in HARMLESS_IN_TIME):
                yield module.breach(node, f"{said[0]}.{said[1]}: time comes from app/clock.py (rule 8)")


def _imports_time(module: Module) -> bool:
    return any(one.module == "time" and one.name is None for one in module.imports)


def dice_are_thrown_in_tokens(module: Module) -> Iterator[Breach]:
    """8b: randomness only from app/tokens.py, and jitter in engine/backoff.py."""
    if module.within(*DICE):
        return
    for one in module.imports:
        if one.module in RANDOM_MODULES or one.name in RANDOM_NAMES:
            yield module.breach(one, "randomness comes from app/tokens.py (rule 8)")
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr in RANDOM_NAMES:
            yield module.breach(node, "randomness comes from app/tokens.py (rule 8)")
