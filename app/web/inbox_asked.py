"""What part of an inbox a reader looks at: read from the address, checked, and written back into links."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import url_for
from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.inbox.queries import Box
from app.place import Place
from app.web import cursors
from app.web.forms import by_field

LONGEST_SEARCH = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for. With a fault nothing is looked up.

    `seen` is the newest row that stood there when the list was opened: later ones are announced, not put under the
    reader's eyes. `through` is the last row on the screen, and `above` how many stand over a page that is appended.
    """

    box: Box
    q: str
    cursor: str
    after: Place | None
    seen: Place | None
    through: Place | None
    above: int
    faults: Mapping[str, str]

    def address(self, endpoint: str = "inbox.index", **changes: str) -> str:
        """The address of this list, or of an act on it, with some of it changed."""
        here = {"box": "" if self.box is Box.ALL else self.box, "q": self.q, "cursor": self.cursor}
        changed = {name: value for name, value in {**here, **changes}.items() if value}
        return f"{url_for(endpoint)}?{urlencode(changed)}".removesuffix("?")


def read(arguments: Mapping[str, str]) -> Asked:
    """Read an address or a form. Faults are kept, so that the page can say them."""
    faults: list[Fault] = []
    q, cursor, above = arguments.get("q", "").strip(), arguments.get("cursor", ""), arguments.get("above", "")
    try:
        after = cursors.read(cursor)
    except InvalidInput as error:
        after, faults = None, [*error.faults]
    if len(q) > LONGEST_SEARCH:
        faults.append(Fault("q", _("Enter at most %(longest)d characters.", longest=LONGEST_SEARCH)))
    return Asked(
        box=_box(arguments.get("box", "")),
        q=q,
        cursor=cursor,
        after=after,
        seen=_hidden_place(arguments.get("seen", "")),
        through=_hidden_place(arguments.get("through", "")),
        above=int(above) if above.isdecimal() and len(above) < 5 else 0,
        faults=by_field(faults),
    )


def _box(name: str) -> Box:
    return Box(name) if name in list(Box) else Box.ALL


def _hidden_place(word: str) -> Place | None:
    # Nobody types these: one that is broken is as good as none.
    try:
        return cursors.read(word)
    except InvalidInput:
        return None
