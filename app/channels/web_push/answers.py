"""What each answer of a push service means: the table of DESIGN.md section 5.

Sources: RFC 8030 5 to 7, RFC 8292 4.2; Mozilla's autopush, "Error codes"; Apple, "Sending web push notifications";
Microsoft, "WNS response codes".
"""

from app.channels.outcome import Accepted, Answer, Gone, Outcome, Rejected, Transient
from app.channels.web_push.subscription import Subscription
from app.channels.web_push.words import detail_of
from app.codes import FailureCode
from app.http import ConnectionLost, NeverConnected, NoAnswer, Response, TimedOut
from app.retry_after import retry_after

SILENCES: dict[type[NoAnswer], Transient] = {
    NeverConnected: Transient(FailureCode.PUSH_UNREACHABLE, Answer(), may_have_arrived=False),
    TimedOut: Transient(FailureCode.PUSH_TIMEOUT, Answer(), may_have_arrived=True),
    ConnectionLost: Transient(FailureCode.PUSH_CONNECTION_LOST, Answer(), may_have_arrived=True),
}

REFUSALS: dict[int, FailureCode] = {
    400: FailureCode.PUSH_BAD_REQUEST,
    401: FailureCode.PUSH_VAPID_REJECTED,
    403: FailureCode.PUSH_VAPID_REJECTED,
    413: FailureCode.PUSH_TOO_LARGE,
}

NOT_TAKEN = ("dropped", "channelthrottled")
"""What Windows says in `X-WNS-Status` under a 200 for a message that it will not deliver."""
BLOCKED = "domain blocked"
"""Windows's reason for a 410 that is about us, not about the device."""


def outcome_of(response: Response, subscription: Subscription) -> Outcome:
    """What the answer means. The subscription is kept out of what is recorded."""
    answer = _answer(response, subscription)
    match response.status:
        case status if 200 <= status < 300:
            return _limited(response, answer) if _was_not_taken(response) else Accepted(answer)
        case 404 | 410 if not _blocks_us(response):
            return Gone(FailureCode.PUSH_GONE, answer)
        case 406 | 429:
            return _limited(response, answer)
        case status if 300 <= status < 400:
            return Rejected(FailureCode.PUSH_REDIRECTED, answer, may_have_arrived=True)
        case status if 400 <= status < 500:
            return Rejected(REFUSALS.get(status, FailureCode.PUSH_REJECTED), answer)
    # 5xx, and the numbers that HTTP does not know, which say as little.
    wait = retry_after(response.headers)
    return Transient(FailureCode.PUSH_SERVER_ERROR, answer, may_have_arrived=True, retry_after=wait)


def _answer(response: Response, subscription: Subscription) -> Answer:
    # Of a 2xx the body and `Location` say nothing that helps, and may hold the endpoint.
    if 200 <= response.status < 300 and not _was_not_taken(response):
        return Answer(response.status)
    detail = detail_of(response.body, response.headers, response.reason, subscription)
    return Answer(response.status, detail=detail)


def _limited(response: Response, answer: Answer) -> Transient:
    wait = retry_after(response.headers)
    return Transient(FailureCode.PUSH_RATE_LIMITED, answer, may_have_arrived=False, retry_after=wait)


def _was_not_taken(response: Response) -> bool:
    return response.headers.get("X-WNS-Status", "").strip().lower() in NOT_TAKEN


def _blocks_us(response: Response) -> bool:
    # Where the words stand is not documented: the reason phrase, a header of theirs or the body.
    theirs = [value for name, value in response.headers.items() if name.lower().startswith("x-wns-")]
    told = " ".join([response.reason, *theirs, response.body.decode(errors="replace")])
    return BLOCKED in told.lower()
