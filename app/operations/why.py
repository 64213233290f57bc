"""Why somebody did something: a few words for whoever wonders. They may be left out."""

from app.faults import InvalidInput
from app.names import faults_of_text, without_edges

LONGEST = 300


def checked(why: str) -> str:
    """The words as they were meant. Raises InvalidInput."""
    meant = without_edges(why)
    faults = faults_of_text(meant, LONGEST, "why", required=False)
    if faults:
        raise InvalidInput(*faults)
    return meant


def noted(why: str) -> dict[str, str]:
    """What the audit keeps of it; nothing where nobody said anything."""
    meant = checked(why)
    return {"why": meant} if meant else {}
