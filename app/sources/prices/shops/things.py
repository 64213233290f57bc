"""What a page describes in schema.org's words, as plain dictionaries, whether it says so in JSON-LD or in microdata."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Thing = dict[str, Any]
_NAMES_ONLY = {"@id", "@type"}


@dataclass(frozen=True, slots=True)
class Described:
    """`tops` stand on their own in the page. `named` are found by their @id: several may say a part each."""

    tops: Sequence[Thing]
    named: Mapping[str, Sequence[Thing]]

    def things(self, value: Any, followed: set[str]) -> Iterator[Thing]:
        """Those of a property, found by their names where it only names them. Names that were `followed` already are
        not followed again: they may lead in circles."""
        for one in listed(value):
            if not isinstance(one, dict):
                continue
            name = one.get("@id")
            if not isinstance(name, str) or one.keys() - _NAMES_ONLY:
                yield one
            elif name not in followed:
                followed.add(name)
                yield from self.named.get(name, ())


def is_named(thing: Thing) -> bool:
    """Whether others may mean it by its name: a name alone describes nothing."""
    return isinstance(thing.get("@id"), str) and bool(thing.keys() - _NAMES_ONLY)


def listed(value: Any) -> list[Any]:
    """The values of a property, which may have none, one or several."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if one is not None and one != ""]


def words(value: Any) -> set[str]:
    """`Product` for `https://schema.org/Product`, `schema:Product` and `Product`."""
    given = [one.strip().rstrip("/") for one in listed(value) if isinstance(one, str)]
    return {one.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2] for one in given}


def text(value: Any) -> str:
    """On one line, without what is no text: JSON may hold control characters and halves of others."""
    one = next(iter(listed(value)), "")
    said = str(one) if isinstance(one, str | Decimal) else ""
    return " ".join("".join(sign for sign in said if sign.isprintable() or sign.isspace()).split())
