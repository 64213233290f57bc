"""The words of the pages for what the ledger and the background keep as short names."""

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l

from app.accounts.invitations import Standing as LinkStanding
from app.accounts.memberships import Post
from app.accounts.models import Role
from app.codes import CANCELLATIONS as CANCELLATIONS
from app.codes import FAILURES as FAILURES
from app.kinds import QueueName
from app.outbox.state import AttemptOutcome, State, Trigger
from app.sources.classroom.models import ShiftStatus
from app.sources.stores.models import Saying
from app.web.announcement_words import ANNOUNCEMENT_ACTS_DONE as ANNOUNCEMENT_ACTS_DONE
from app.web.announcement_words import AUDIENCES as AUDIENCES
from app.web.announcement_words import FALLBACKS as FALLBACKS
from app.web.announcement_words import PHASES as PHASES
from app.web.category_words import CATEGORIES as CATEGORIES
from app.web.category_words import CategoryWords as CategoryWords
from app.web.issue_words import ISSUE_ACTS as ISSUE_ACTS
from app.web.issue_words import ISSUE_ACTS_DONE as ISSUE_ACTS_DONE
from app.web.issue_words import ISSUE_MEANINGS as ISSUE_MEANINGS
from app.web.issue_words import ISSUE_STANDINGS as ISSUE_STANDINGS
from app.web.ledger_words import ACTS as ACTS
from app.web.ledger_words import ACTS_DONE as ACTS_DONE
from app.web.ledger_words import BULK_ACTS_DONE as BULK_ACTS_DONE
from app.web.ledger_words import GATE_ACTS_DONE as GATE_ACTS_DONE
from app.web.ledger_words import QUESTIONS as QUESTIONS
from app.web.ledger_words import SUBJECTS as SUBJECTS

STATES: dict[State, LazyString] = {
    State.PENDING: _l("Waiting"),
    State.QUEUED: _l("Queued"),
    State.SENDING: _l("Sending"),
    State.RETRY: _l("Waiting to retry"),
    State.SENT: _l("Sent"),
    State.CANCELED: _l("Not sent (rightly)"),
    State.FAILED: _l("Failed"),
}

MEANINGS: dict[State, LazyString] = {
    State.PENDING: _l("Owed, and not in the queue yet. It goes there when its time has come and the queue has room."),
    State.QUEUED: _l("In the queue: the next free worker takes it."),
    State.SENDING: _l("A worker is sending it right now."),
    State.RETRY: _l("The last try did not get through. The next one starts by itself."),
    State.SENT: _l("LINE or the push service accepted it. Whether the person has read it, neither says."),
    State.CANCELED: _l("It was rightly not sent: right before sending it was no longer true or no longer wanted."),
    State.FAILED: _l("It did not arrive for certain, and no further try starts by itself."),
}

TRIGGERS: dict[str, LazyString] = {
    Trigger.AUTO: _l("automatic"),
    Trigger.MANUAL: _l("by an operator"),
    Trigger.RECOVERY: _l("after its worker was lost"),
}

OUTCOMES: dict[str, LazyString] = {
    AttemptOutcome.ACCEPTED: _l("It was accepted."),
    AttemptOutcome.ALREADY_ACCEPTED: _l("LINE had already accepted it (409): an earlier try had arrived after all."),
    AttemptOutcome.TRANSIENT: _l("It did not get through this time."),
    AttemptOutcome.REJECTED: _l("It was refused."),
    AttemptOutcome.GONE: _l("Its address no longer exists."),
    AttemptOutcome.LOST: _l("Its worker stopped without an answer. It may have arrived."),
    AttemptOutcome.UNANSWERED: _l("The check before sending could not be answered; nothing was sent."),
}

SHIFT_STATUSES: dict[str, LazyString] = {
    ShiftStatus.DRAFT: _l("Draft"),
    ShiftStatus.CONFIRMED: _l("Confirmed"),
}

SHIFT_ACTS: dict[str, LazyString] = {
    "confirm": _l("Confirm"),
    "unconfirm": _l("Unconfirm"),
    "delete": _l("Delete"),
}

SHIFT_QUESTIONS: dict[str, LazyString] = {
    "confirm": _l("Confirm these shifts?"),
    "unconfirm": _l("Unconfirm these shifts?"),
    "delete": _l("Delete these shifts?"),
}

SHIFT_ACTS_DONE: dict[str, LazyString] = {
    "add": _l("added it"),
    "change": _l("changed it"),
    "confirm": _l("confirmed it"),
    "unconfirm": _l("unconfirmed it"),
    "delete": _l("deleted it"),
    "import": _l("brought it in from a file"),
}

PUBLICATION_ACTS_DONE: dict[str, LazyString] = {
    "publish": _l("published it"),
    "withdraw": _l("withdrew it"),
}

INQUIRY_ACTS_DONE: dict[str, LazyString] = {
    "close": _l("closed it"),
    "reopen": _l("reopened it"),
    "add_asker": _l("let another account ask along"),
    "remove_asker": _l("ended an account's part"),
}

ACCOUNT_ACTS_DONE: dict[str, LazyString] = {
    "invite": _l("made a sign-in link"),
    "send_invitation": _l("had the sign-in link sent by LINE"),
    "accept_invitation": _l("set a password by the sign-in link"),
    "change_password": _l("changed the password"),
    "change_account": _l("changed the name or the e-mail address"),
    "set_role": _l("chose the role"),
    "suspend": _l("suspended the account"),
    "resume": _l("resumed the account"),
    "delete_account": _l("deleted the account"),
    "sign_out": _l("signed a browser out"),
    "sign_out_everywhere": _l("signed the account out everywhere"),
    "sign_out_elsewhere": _l("signed out all other browsers"),
    "line_on": _l("switched LINE on"),
    "line_off": _l("switched LINE off"),
    "set_language": _l("chose the language"),
    "link_line": _l("linked a LINE user"),
    "relink_line": _l("linked another LINE user"),
    "import": _l("imported shifts"),
    "register_device": _l("switched push on for a device"),
    "remove_device": _l("removed a device"),
}

WHAT_ROLES_MAY = _l(
    "Administrators operate and set up everything. Staff plan shifts. Members get messages and see what is theirs."
)

NO_INVITATION = _l(
    "Nobody made this link. Check that you have all of it, to its last letter, or ask an administrator for a new one."
)

INVITATIONS_CLOSED: dict[str, LazyString] = {
    LinkStanding.USED: _l(
        "It was used already. Sign in with the password that was set then. "
        "If that was not you, or you forgot it, ask an administrator for a new link."
    ),
    LinkStanding.EXPIRED: _l("It was good for 7 days, and they are over. Ask an administrator for a new link."),
    LinkStanding.REPLACED: _l("A newer link was made for you. Use that one, or ask an administrator for another."),
    LinkStanding.SUSPENDED: _l("Your account is suspended. Ask an administrator to resume it."),
}

STORE_ACTS_DONE: dict[str, LazyString] = {
    "add": _l("added the store; its owner"),
    "change": _l("changed what is known of it"),
    "archive": _l("archived it"),
    "reopen": _l("opened it again"),
    "add_staff": _l("added to the staff"),
    "remove": _l("removed from the store"),
    "make_owner": _l("made an owner"),
    "make_staff": _l("made staff again"),
    "hand_over": _l("handed it over to"),
}

REPORT_ACTS_DONE: dict[str, LazyString] = {
    "resolve": _l("resolved it"),
    "reopen": _l("opened the report again"),
    "delete": _l("deleted it"),
}

POSTS: dict[str, LazyString] = {
    Post.OWNER: _l("Owner"),
    Post.STAFF: _l("Store staff"),
}

SAYINGS: dict[Saying, LazyString] = {
    Saying.ME_TOO: _l("Me too"),
    Saying.SOLVED: _l("Works for me again"),
}

ROLES: dict[str, LazyString] = {
    Role.ADMIN: _l("Administrator"),
    Role.STAFF: _l("Staff"),
    Role.MEMBER: _l("Member"),
    Role.GUEST: _l("Guest"),
}

LINE_STATES: dict[str, LazyString] = {
    "on": _l("On"),
    "off": _l("Switched off"),
    "none": _l("No link"),
}

LANGUAGES: dict[str, str] = {
    "ja": "日本語",
    "en": "English",
}

KINDS: dict[str, LazyString] = {
    "shift_reminder": _l("Shift reminder"),
    "shift_correction": _l("Shift correction"),
    "shift_table": _l("Shift table"),
    "inquiry_message": _l("Message in an inquiry"),
    "inquiry_answer": _l("Answer to an inquiry"),
    "conversation_message": _l("Message in a conversation"),
    "store_guidance": _l("Store set-up"),
    "report_opened": _l("Fault report"),
    "report_reaction": _l("Reaction to a fault report"),
    "report_resolved": _l("Fault report resolved"),
    "announcement": _l("Announcement"),
    "price_drop": _l("Price watch"),
    "price_unreadable": _l("Page of a shop that cannot be read"),
    "alert_began": _l("Alert"),
    "alert_over": _l("All-clear"),
    "invitation": _l("Sign-in link"),
    "test_push": _l("Test notification"),
}

CHANNELS: dict[str, LazyString | str] = {
    "line": "LINE",
    "web_push": _l("Web Push"),
}

CHANNELS_CHOSEN: dict[str, LazyString | str] = {
    "web_push": _l("Your devices"),
    "line": "LINE",
}
"""What a person calls them who chooses."""

BACKGROUND_ROLES: dict[str, LazyString] = {
    "worker": _l("Worker"),
    "clock": _l("Clock"),
}

QUEUES: dict[str, LazyString] = {
    QueueName.URGENT: _l("Urgent"),
    QueueName.DEFAULT: _l("Ordinary"),
    QueueName.BULK: _l("To many"),
    QueueName.SLOW: _l("Slow"),
}

FIGURES: dict[str, LazyString] = {
    "shifts": _l("shifts about to start"),
    "enqueued": _l("newly owed"),
    "lost": _l("lost tries"),
    "released": _l("taken back"),
    "failed": _l("failed"),
    "expired": _l("expired"),
    "lost_by_queue": _l("lost by the queue"),
    "handed_over": _l("handed over"),
    "published": _l("announcements published"),
    "notified": _l("people told"),
    "skipped": _l("people left out"),
    "owed": _l("newly owed"),
    "canceled": _l("deliveries canceled"),
    "began": _l("alerts begun"),
    "over": _l("alerts ended"),
    "counted": _l("deliveries counted"),
    "forgotten": _l("guests forgotten"),
    "retried": _l("deliveries retried"),
    "passed_over": _l("deliveries skipped"),
    "looked": _l("looks at shops"),
    "unanswered": _l("of them without an answer"),
}
