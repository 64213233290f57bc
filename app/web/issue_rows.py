"""Failures that are alike, as the overview shows them: plain values in the reader's language."""

from dataclasses import dataclass
from datetime import datetime

from app.accounts.known import names_of
from app.codes import Words
from app.operations.issues import Issue, Standing, issues
from app.web import words
from app.web.delivery_rows import reason_of

PRESSING = (Standing.OPEN, Standing.ACKNOWLEDGED)


@dataclass(frozen=True, slots=True)
class IssueRow:
    """One issue. `channel` is the word for it, `channel_name` what the ledger calls it."""

    channel: str
    channel_name: str
    code: str
    reason: Words | None
    failed: int
    dead_letters: int
    waiting: int
    first_at: datetime
    last_at: datetime | None
    standing: Standing
    marked_at: datetime | None
    marked_by: str | None
    came_back: bool

    @property
    def id(self) -> str:
        """What tells it from the others on a page."""
        return f"{self.channel_name}-{self.code}"

    @property
    def pressing(self) -> bool:
        """Whether somebody has to see to it."""
        return self.standing in PRESSING


def issue_rows(*, named: bool) -> list[IssueRow]:
    """All of them; what has most failures first. `named`: whether the reader may know who said what of them."""
    found = issues()
    names = names_of({one.marked_by for one in found if one.marked_by is not None}) if named else {}
    return [_row(one, names.get(one.marked_by) if one.marked_by else None) for one in found]


def _row(issue: Issue, marked_by: str | None) -> IssueRow:
    group = issue.group
    return IssueRow(
        channel=str(words.CHANNELS.get(group.channel, group.channel)),
        channel_name=group.channel,
        code=group.code,
        reason=reason_of(group.code),
        failed=group.number,
        dead_letters=group.dead_letters,
        waiting=group.waiting,
        first_at=group.first_at,
        last_at=group.last_at,
        standing=issue.standing,
        marked_at=issue.marked_at,
        marked_by=marked_by,
        came_back=issue.came_back,
    )
