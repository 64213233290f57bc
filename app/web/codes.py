"""Every failure code and cancel reason with its sentences: the page that codes link to."""

from dataclasses import dataclass

from flask import render_template
from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.codes import CANCELLATIONS, ENDING, FAILURES, RETRIED, FailureCode, Words
from app.web.guards import STAFF, Pages

_AGAIN = _l("It is tried again by itself, until its tries are used up.")
_ENDS = _l("It is not tried again: the delivery ends as rightly not sent.")
_WAITS = _l("It is not tried again by itself: it waits for a person.")

pages = Pages("codes", open_to=STAFF)


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure code; `then`: whether anything more happens by itself."""

    code: FailureCode
    words: Words
    then: LazyString


@pages.get("/help/codes")
def index() -> str:
    """All of them, made from the table that the rest of the product speaks from."""
    failures = [Failure(code, words, _then(code)) for code, words in FAILURES.items()]
    return render_template("codes/index.html", failures=failures, cancellations=CANCELLATIONS)


def _then(code: FailureCode) -> LazyString:
    if code in ENDING:
        return _ENDS
    return _AGAIN if code in RETRIED else _WAITS
