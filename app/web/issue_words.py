"""The words of the pages for failures that are alike, and what operators say of them."""

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.operations.issues import Standing

ISSUE_STANDINGS: dict[str, LazyString] = {
    Standing.OPEN: _l("Nobody sees to it yet"),
    Standing.ACKNOWLEDGED: _l("Being seen to"),
    Standing.RESOLVED: _l("Resolved"),
    Standing.IGNORED: _l("Ignored"),
}

ISSUE_MEANINGS: dict[str, LazyString] = {
    Standing.OPEN: _l("It waits for somebody to see to it."),
    Standing.ACKNOWLEDGED: _l("Somebody sees to it, until all that failed so far was sent again."),
    Standing.RESOLVED: _l("The cause is gone. If it happens again, it is open again."),
    Standing.IGNORED: _l("Nobody need look, however often it happens."),
}

ISSUE_ACTS: dict[str, LazyString] = {
    Standing.OPEN: _l("Open again"),
    Standing.ACKNOWLEDGED: _l("I see to it"),
    Standing.RESOLVED: _l("Mark as resolved"),
    Standing.IGNORED: _l("Ignore"),
}

ISSUE_ACTS_DONE: dict[str, LazyString] = {
    "reopen_issue": _l("opened the failures again"),
    "acknowledge_issue": _l("said that they see to the failures"),
    "resolve_issue": _l("called the failures resolved"),
    "ignore_issue": _l("chose to ignore the failures"),
}
