"""What is wrong with somebody's input: every fault at once, each with its field and what is expected."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong. `message` is in the reader's language; `line` is the line of a file, counted from 1."""

    field: str
    message: str
    line: int | None = None


class InvalidInput(Exception):  # noqa: N818  # it names what was given, as ValueError would
    """The input was refused whole; nothing was stored."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(", ".join(fault.field for fault in faults))
        self.faults = faults
