"""What narrows a list of deliveries, in words: over the list, over a plan, and long afterwards over a bulk retry."""

from collections.abc import Callable, Iterator, Mapping

from flask_babel import gettext as _
from flask_login import current_user

from app.sources.classroom.shifts.listing import classroom_names
from app.sources.stores.listing import store_names
from app.web import words
from app.web.delivery_rows import reason_of

Word = Callable[[str], object]
"""Makes a word of what was typed."""


def conditions(
    typed: Mapping[str, str], scopes: Mapping[str, str], personal: Mapping[str, Word]
) -> Iterator[tuple[str, str]]:
    """The name of each field that narrows it, in the order of their weight, and the words of that; the state aside,
    which has a tab of its own. `personal` are the words of the fields that may name somebody."""
    words_for: Mapping[str, Word] = {
        **personal,
        "subject": _about_what,
        "code": lambda code: reason.cause if (reason := reason_of(code)) else code,
        "kind": lambda kind: words.KINDS.get(kind, kind),
        "channel": lambda channel: words.CHANNELS.get(channel, channel),
        "scope": lambda scope: scopes.get(scope, scope),
        "dead": lambda _one: _("All tries used up"),
        "from": lambda day: _("From %(day)s", day=day),
        "to": lambda day: _("Until %(day)s", day=day),
    }
    yield from ((name, str(word(typed[name]))) for name, word in words_for.items() if typed.get(name))


def classrooms() -> dict[str, str]:
    """The classrooms that deliveries may be about, by how a filter names them."""
    return {f"classroom:{number}": name for number, name in classroom_names().items()}


def stores() -> dict[str, str]:
    """The stores that the reader sees, likewise."""
    return {f"store:{number}": name for number, name in store_names(current_user.reader).items()}


def scope_names() -> dict[str, str]:
    """Both."""
    return classrooms() | stores()


def _about_what(written: str) -> str:
    name, _colon, number = written.partition(":")
    return f"{words.SUBJECTS.get(name, name)} {number}"
