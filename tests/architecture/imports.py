"""Rules 1 to 5: who may know whom."""

import ast
from collections.abc import Iterator

from tests.architecture.code import Breach, Import, Module, is_within

FILLS_THE_HOUSE = {"app": "create_app", "app.sources": "register", "app.web": "register", "app.cli": "register"}
"""Where blueprints are registered and KINDS is filled."""

THE_CONTRACT_ONLY = ("app.engine", "app.inbox", "app.background", "app.operations")
NO_DATABASE = ("sqlalchemy", "flask_sqlalchemy", "app.extensions", "app.transaction", "app.columns", "app.outbox")
HTTP_CLIENTS = ("requests", "urllib3", "http.client", "urllib.request", "httpx", "aiohttp")
PUSH_LIBRARIES = ("pywebpush", "py_vapid", "http_ece")
NO_WEB_NO_QUEUE = ("flask", "flask_login", "rq", "redis", "app.http", *HTTP_CLIENTS)
MESSAGE_TYPES = ("app.channels.line.flex", "app.channels.line.limits", "app.channels.web_push.message")
"""What a message is made of, and how long its texts may be."""
KNOW_RQ = ("app.extensions", "app.engine.handover", "app.background", "worker")
FOR_READERS = (
    "app.accounts", "app.inbox", "app.reach", "app.sources", "app.operations",
    "app.outbox.queries", "app.outbox.listing", "app.outbox.figures", "app.outbox.state", "app.outbox.models",
    "app.outbox.retry_key",
)  # fmt: skip
RUNS_SCANS = ("app.background.scans", "app.background.timetable")
CLOSED_TO_READERS = (
    "app.outbox",
    "app.engine",
    "app.background",
    "app.channels.line.channel",
    "app.channels.web_push.channel",
)


def no_import_inside_a_function(module: Module) -> Iterator[Breach]:
    """1: an import inside a function dodges a cycle that should not be there."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef) and FILLS_THE_HOUSE.get(module.name) != node.name:
            nested = [one for one in ast.walk(node) if isinstance(one, ast.Import | ast.ImportFrom)]
            yield from (module.breach(one, "no import inside a function (rule 1)") for one in nested)


def sources_and_channels_are_known_by_their_registries(module: Module) -> Iterator[Breach]:
    """2: the engine and its neighbours know a source through KINDS, a channel through CHANNELS."""
    if module.within(*THE_CONTRACT_ONLY):
        for one in module.imports:
            if is_within(one.module, ["app.sources"]):
                yield module.breach(one, "a source is known only through KINDS (rule 2)")
            if is_within(one.module, ["app.channels"]) and one.module not in ("app.channels", "app.channels.outcome"):
                yield module.breach(one, "a channel is known only through CHANNELS (rule 2)")
    fillers = {
        "KINDS": ("app.sources",), "INBOX_KINDS": ("app.sources",), "FORGETTERS": ("app.sources",),
        "SCANS": ("app.sources", "app.background.timetable"), "CHANNELS": ("app",),
    }  # fmt: skip
    for node in module.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            allowed = fillers.get(node.value.id, (module.name,))
            if module.name not in allowed:
                yield module.breach(node, f"{node.value.id} is filled in {' and '.join(allowed)} alone (rule 2)")


def each_part_keeps_to_its_trade(module: Module) -> Iterator[Breach]:
    """3: no database in channels, neither web nor queue in the outbox, HTTP through http.py."""
    for one in module.imports:
        if module.within("app.channels") and is_within(one.module, NO_DATABASE):
            yield module.breach(one, "channels know no database (rule 3)")
        if module.within("app.outbox") and is_within(one.module, NO_WEB_NO_QUEUE):
            yield module.breach(one, "the outbox knows no request, no queue and no HTTP (rule 3)")
        beyond_messages = is_within(one.module, ["app.channels"]) and not is_within(one.module, MESSAGE_TYPES)
        if module.within("app.sources") and beyond_messages:
            yield module.breach(one, "sources take only message types from channels (rule 3)")
        if _is_http_client(one) and not module.within("app.http", "app.sandbox"):
            yield module.breach(one, "HTTP goes through app/http.py (rule 3)")
        if is_within(one.module, PUSH_LIBRARIES) and not module.within("app.channels.web_push", "app.sandbox"):
            yield module.breach(one, "pywebpush is used in app/channels/web_push (rule 3)")


def _is_http_client(one: Import) -> bool:
    named = one.module if one.name is None else f"{one.module}.{one.name}"
    return is_within(named, HTTP_CLIENTS)


def few_know_rq(module: Module) -> Iterator[Breach]:
    """4: rq appears only where jobs are made and run."""
    for one in module.imports:
        if is_within(one.module, ["rq"]) and not module.within(*KNOW_RQ):
            yield module.breach(one, "rq has no business here (rule 4)")


def pages_and_commands_never_send(module: Module) -> Iterator[Breach]:
    """5: web and cli read, and call the verbs of operations and sources; they neither send nor move the ledger."""
    if not module.within("app.web", "app.cli"):
        return
    allowed = FOR_READERS + (RUNS_SCANS if module.within("app.cli") else ())
    for one in module.imports:
        if is_within(one.module, CLOSED_TO_READERS) and not is_within(one.module, allowed):
            yield module.breach(one, f"web and cli have no business with {one.module} (rule 5)")
    for node in module.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "send":
            yield module.breach(node, "a send never happens in a request or a command (rule 5)")
