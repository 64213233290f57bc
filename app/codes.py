"""Failure codes and cancel reasons, each with its sentences; pages and docs are made from it."""

from dataclasses import dataclass
from enum import StrEnum

from flask_babel import LazyString
from flask_babel import lazy_gettext as _l


class FailureCode(StrEnum):
    """Why a delivery failed, or what its last try met."""

    QUEUE_ENQUEUE_FAILED = "QUEUE_ENQUEUE_FAILED"
    WORKER_LOST = "WORKER_LOST"
    RETRY_KEY_EXPIRED = "RETRY_KEY_EXPIRED"
    SOURCE_ERROR = "SOURCE_ERROR"
    REFETCH_RATE_LIMITED = "REFETCH_RATE_LIMITED"
    REFETCH_UNREACHABLE = "REFETCH_UNREACHABLE"
    REFETCH_UNREADABLE = "REFETCH_UNREADABLE"
    LINE_SERVER_ERROR = "LINE_SERVER_ERROR"
    LINE_TIMEOUT = "LINE_TIMEOUT"
    LINE_UNREACHABLE = "LINE_UNREACHABLE"
    LINE_CONNECTION_LOST = "LINE_CONNECTION_LOST"
    LINE_CONFLICT = "LINE_CONFLICT"
    LINE_BAD_REQUEST = "LINE_BAD_REQUEST"
    LINE_UNAUTHORIZED = "LINE_UNAUTHORIZED"
    LINE_FORBIDDEN = "LINE_FORBIDDEN"
    LINE_NOT_FOUND = "LINE_NOT_FOUND"
    LINE_REDIRECTED = "LINE_REDIRECTED"
    LINE_REJECTED = "LINE_REJECTED"
    LINE_QUOTA_EXCEEDED = "LINE_QUOTA_EXCEEDED"
    LINE_RATE_LIMITED = "LINE_RATE_LIMITED"
    PUSH_GONE = "PUSH_GONE"
    PUSH_TOO_LARGE = "PUSH_TOO_LARGE"
    PUSH_RATE_LIMITED = "PUSH_RATE_LIMITED"
    PUSH_SERVER_ERROR = "PUSH_SERVER_ERROR"
    PUSH_TIMEOUT = "PUSH_TIMEOUT"
    PUSH_UNREACHABLE = "PUSH_UNREACHABLE"
    PUSH_CONNECTION_LOST = "PUSH_CONNECTION_LOST"
    PUSH_BAD_REQUEST = "PUSH_BAD_REQUEST"
    PUSH_VAPID_REJECTED = "PUSH_VAPID_REJECTED"
    PUSH_REDIRECTED = "PUSH_REDIRECTED"
    PUSH_REJECTED = "PUSH_REJECTED"
    PUSH_ENDPOINT_REFUSED = "PUSH_ENDPOINT_REFUSED"


class CancelReason(StrEnum):
    """Why a delivery was rightly not sent."""

    SHIFT_UNCONFIRMED = "shift_unconfirmed"
    SHIFT_CHANGED = "shift_changed"
    SHIFT_STARTED = "shift_started"
    SUBJECT_DELETED = "subject_deleted"
    PUBLICATION_REPLACED = "publication_replaced"
    PUBLICATION_WITHDRAWN = "publication_withdrawn"
    RECIPIENT_DISABLED = "recipient_disabled"
    LINE_DISABLED = "line_disabled"
    ADDRESS_CHANGED = "address_changed"
    SUBJECT_RESOLVED = "subject_resolved"
    NOT_ENTITLED = "not_entitled"
    ALREADY_READ = "already_read"
    PREFERENCE_OFF = "preference_off"
    MESSAGES_OFF = "messages_off"
    DEVICE_REMOVED = "device_removed"
    DEVICE_MOVED = "device_moved"
    DEVICE_GONE = "device_gone"
    ANNOUNCEMENT_ARCHIVED = "announcement_archived"
    ANNOUNCED_ANEW = "announced_anew"
    LANGUAGE_MISSING = "language_missing"
    WATCH_REMOVED = "watch_removed"
    LISTING_PAUSED = "listing_paused"
    OUT_OF_STOCK = "out_of_stock"
    CONDITION_LOST = "condition_lost"
    EXPIRED = "expired"
    BY_OPERATOR = "by_operator"


@dataclass(frozen=True, slots=True)
class Words:
    """The cause, and what to do next (empty when there is nothing to do)."""

    cause: LazyString
    next_step: LazyString | str = ""


FAILURES: dict[FailureCode, Words] = {
    FailureCode.QUEUE_ENQUEUE_FAILED: Words(
        _l("The queue (Redis) did not take it."),
        _l("It goes out by itself as soon as Redis answers. Check Redis if this lasts."),
    ),
    FailureCode.WORKER_LOST: Words(
        _l("The worker that was sending it stopped without an answer."),
        _l(
            "It may have arrived. Retry repeats it: LINE knows its key and delivers it once; a push replaces the first."
        ),
    ),
    FailureCode.RETRY_KEY_EXPIRED: Words(
        _l("Its LINE retry key is older than 24 hours, so LINE could no longer recognise a second copy."),
        _l("Check whether it arrived, then retry: it goes out with a new key."),
    ),
    FailureCode.SOURCE_ERROR: Words(
        _l("The check right before sending broke inside Todoke."),
        _l("See the worker's log for the error, then retry."),
    ),
    FailureCode.REFETCH_RATE_LIMITED: Words(
        _l("The shop is being asked too often, and did not say what it costs now; nothing was sent."),
        _l("It is asked again by itself, as late as the shop wishes. After the last try: retry later."),
    ),
    FailureCode.REFETCH_UNREACHABLE: Words(
        _l("The shop did not say what it costs now: it could not be reached or met an error; nothing was sent."),
        _l("It is asked again by itself. After the last try: retry when the shop is well again."),
    ),
    FailureCode.REFETCH_UNREADABLE: Words(
        _l("The shop's page could be read before, but not right before sending; nothing was sent."),
        _l("It is asked again by itself. Look at the page: if it has changed its form for good, cancel this."),
    ),
    FailureCode.LINE_SERVER_ERROR: Words(
        _l("LINE answered with an error of its own (5xx). The message may still have arrived."),
        _l("It is tried again by itself, under the same retry key. After the last try: retry when LINE is well again."),
    ),
    FailureCode.LINE_TIMEOUT: Words(
        _l("LINE did not answer in time. The message may still have arrived."),
        _l("It is tried again by itself, under the same retry key. After the last try: retry when LINE is well again."),
    ),
    FailureCode.LINE_UNREACHABLE: Words(
        _l("LINE could not be reached; nothing was sent."),
        _l("It is tried again by itself. Check the network of this machine if this lasts."),
    ),
    FailureCode.LINE_CONNECTION_LOST: Words(
        _l("The connection to LINE broke before its answer. The message may still have arrived."),
        _l("It is tried again by itself, under the same retry key."),
    ),
    FailureCode.LINE_CONFLICT: Words(
        _l("LINE says that this retry key was used, but not for which message (409)."),
        _l("Check whether it arrived. If not, rotate the key."),
    ),
    FailureCode.LINE_BAD_REQUEST: Words(
        _l("LINE refused the message or the recipient (400)."),
        _l("Check the recipient's LINE link; LINE's own words stand at the attempt. Then retry."),
    ),
    FailureCode.LINE_UNAUTHORIZED: Words(
        _l("LINE did not accept the channel access token (401)."),
        _l("Set a valid LINE_CHANNEL_ACCESS_TOKEN, restart, then retry."),
    ),
    FailureCode.LINE_FORBIDDEN: Words(
        _l("This LINE channel may not send this (403)."),
        _l("Check the channel's plan and rights in the LINE console, then retry."),
    ),
    FailureCode.LINE_NOT_FOUND: Words(
        _l("LINE does not know this address (404)."),
        _l("Check LINE_API_BASE and the recipient's LINE link, then retry."),
    ),
    FailureCode.LINE_REDIRECTED: Words(
        _l("The answer was a redirect, which LINE never gives; it was not followed."),
        _l("Check LINE_API_BASE and any gateway in between, then retry."),
    ),
    FailureCode.LINE_REJECTED: Words(
        _l("LINE refused the request."),
        _l("LINE's own words stand at the attempt. Mend the cause, then retry."),
    ),
    FailureCode.LINE_QUOTA_EXCEEDED: Words(
        _l("LINE's monthly limit is used up."),
        _l("Raise the limit, or retry next month."),
    ),
    FailureCode.LINE_RATE_LIMITED: Words(
        _l("LINE is being asked too often (429). It is not tried again by itself."),
        _l("Wait a few minutes, then retry."),
    ),
    FailureCode.PUSH_GONE: Words(
        _l("The push service no longer knows this device (404 or 410)."),
        _l("The person can switch notifications on again in their browser."),
    ),
    FailureCode.PUSH_TOO_LARGE: Words(
        _l("The message is too large for a push (413)."),
        _l("This is a fault of Todoke's: please report it. It still stands in the inbox."),
    ),
    FailureCode.PUSH_RATE_LIMITED: Words(
        _l("The push service is being asked too often, and did not take it."),
        _l("It is tried again by itself, as late as the service wishes. After the last try: retry."),
    ),
    FailureCode.PUSH_SERVER_ERROR: Words(
        _l("The push service answered with an error of its own (5xx). The message may still have arrived."),
        _l("It is tried again by itself. After the last try: retry when the service is well again."),
    ),
    FailureCode.PUSH_TIMEOUT: Words(
        _l("The push service did not answer in time. The message may still have arrived."),
        _l("It is tried again by itself. After the last try: retry when the service is well again."),
    ),
    FailureCode.PUSH_UNREACHABLE: Words(
        _l("The push service could not be reached; nothing was sent."),
        _l("It is tried again by itself. Check the network of this machine if this lasts."),
    ),
    FailureCode.PUSH_CONNECTION_LOST: Words(
        _l("The connection to the push service broke before its answer. The message may still have arrived."),
        _l("It is tried again by itself. After the last try: retry when the service is well again."),
    ),
    FailureCode.PUSH_BAD_REQUEST: Words(
        _l("The push service refused the request (400)."),
        _l("The service's own words stand at the attempt. If they speak of keys, switch notifications on again there."),
    ),
    FailureCode.PUSH_VAPID_REJECTED: Words(
        _l("The push service did not accept Todoke's VAPID key or signature (401 or 403)."),
        _l("Check VAPID_PRIVATE_KEY, VAPID_SUBJECT and this machine's clock, restart, then retry."),
    ),
    FailureCode.PUSH_REDIRECTED: Words(
        _l("The answer was a redirect, which push services never give; it was not followed."),
        _l("Check for a gateway in between, then retry."),
    ),
    FailureCode.PUSH_REJECTED: Words(
        _l("The push service refused the request."),
        _l("The service's own words stand at the attempt. Mend the cause, then retry."),
    ),
    FailureCode.PUSH_ENDPOINT_REFUSED: Words(
        _l("The device's address is damaged or leads where Todoke sends nothing; no request was made."),
        _l("If it is a push service that you trust, add it to PUSH_ALLOWED_HOSTS, restart, then retry."),
    ),
}

CANCELLATIONS: dict[CancelReason, Words] = {
    CancelReason.SHIFT_UNCONFIRMED: Words(_l("The shift is no longer confirmed.")),
    CancelReason.SHIFT_CHANGED: Words(_l("The shift was changed after this was written; the new one is told instead.")),
    CancelReason.SHIFT_STARTED: Words(_l("The shift had already started.")),
    CancelReason.SUBJECT_DELETED: Words(_l("What it was about has been deleted.")),
    CancelReason.PUBLICATION_REPLACED: Words(_l("A newer revision of this shift table was published.")),
    CancelReason.PUBLICATION_WITHDRAWN: Words(_l("The shift table was withdrawn.")),
    CancelReason.RECIPIENT_DISABLED: Words(_l("The recipient's account is suspended or deleted.")),
    CancelReason.LINE_DISABLED: Words(
        _l("The recipient has no LINE link, has switched it off, or blocks the account.")
    ),
    CancelReason.ADDRESS_CHANGED: Words(
        _l("The address changed before it was sent. If there was an earlier try, it may have arrived at the old one.")
    ),
    CancelReason.SUBJECT_RESOLVED: Words(_l("What it was about was settled before it could be told.")),
    CancelReason.NOT_ENTITLED: Words(_l("The recipient may no longer see what it is about.")),
    CancelReason.ALREADY_READ: Words(_l("The recipient had already read it in the inbox.")),
    CancelReason.PREFERENCE_OFF: Words(_l("The recipient has switched this off in the notification settings.")),
    CancelReason.MESSAGES_OFF: Words(_l("The recipient no longer accepts messages in this conversation.")),
    CancelReason.DEVICE_REMOVED: Words(_l("This device was removed, or its browser was signed out.")),
    CancelReason.DEVICE_MOVED: Words(_l("Somebody else now uses this device.")),
    CancelReason.DEVICE_GONE: Words(
        _l("The push service says that this device no longer takes pushes. Todoke has removed it.")
    ),
    CancelReason.ANNOUNCEMENT_ARCHIVED: Words(_l("The announcement was archived.")),
    CancelReason.ANNOUNCED_ANEW: Words(_l("The announcement was changed and announced anew; that one tells.")),
    CancelReason.LANGUAGE_MISSING: Words(_l("The announcement is not written in the language that is read there.")),
    CancelReason.WATCH_REMOVED: Words(_l("The watch was removed before it could be told.")),
    CancelReason.LISTING_PAUSED: Words(_l("The watch was paused before it could be told.")),
    CancelReason.OUT_OF_STOCK: Words(_l("Right before sending, the shop had it no more.")),
    CancelReason.CONDITION_LOST: Words(
        _l("Right before sending, the price was no longer what the person waits for, or they knew it already.")
    ),
    CancelReason.EXPIRED: Words(_l("Its time had passed.")),
    CancelReason.BY_OPERATOR: Words(_l("An operator canceled it.")),
}

RETRIED = frozenset({
    FailureCode.QUEUE_ENQUEUE_FAILED, FailureCode.WORKER_LOST, FailureCode.SOURCE_ERROR,
    FailureCode.LINE_SERVER_ERROR, FailureCode.LINE_TIMEOUT, FailureCode.LINE_UNREACHABLE,
    FailureCode.LINE_CONNECTION_LOST, FailureCode.PUSH_RATE_LIMITED, FailureCode.PUSH_SERVER_ERROR,
    FailureCode.PUSH_TIMEOUT, FailureCode.PUSH_UNREACHABLE, FailureCode.PUSH_CONNECTION_LOST,
})  # fmt: skip
"""After these another try starts by itself, until those of the round are used up."""

ENDING = frozenset({FailureCode.PUSH_GONE})
"""With these a delivery ends as rightly not sent: there is nobody left to tell there."""

BY_THE_CHECK = frozenset({
    CancelReason.SHIFT_UNCONFIRMED, CancelReason.SHIFT_CHANGED, CancelReason.SUBJECT_DELETED,
    CancelReason.SUBJECT_RESOLVED, CancelReason.PUBLICATION_REPLACED, CancelReason.ADDRESS_CHANGED,
    CancelReason.NOT_ENTITLED, CancelReason.ALREADY_READ, CancelReason.PREFERENCE_OFF, CancelReason.MESSAGES_OFF,
    CancelReason.LANGUAGE_MISSING,
})  # fmt: skip
"""What nobody but the check before sending ends one for. Others are found by it, or by whoever made them so."""
