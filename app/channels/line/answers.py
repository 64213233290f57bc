"""What each of LINE's answers means: the table of DESIGN.md section 5, and whether the message may have arrived.

Source: Messaging API reference, "Retry an API request" and "Status codes".
"""

from app.channels.line.words import REQUEST_ID, cleaned, detail_of, message_of
from app.channels.outcome import Accepted, Answer, Outcome, Rejected, Transient
from app.codes import FailureCode
from app.http import ConnectionLost, NeverConnected, NoAnswer, Response, TimedOut
from app.retry_after import retry_after

QUOTA_MESSAGE = "You have reached your monthly limit."
"""LINE gives no machine-readable cause for a 429."""

SILENCES: dict[type[NoAnswer], Transient] = {
    NeverConnected: Transient(FailureCode.LINE_UNREACHABLE, Answer(), may_have_arrived=False),
    TimedOut: Transient(FailureCode.LINE_TIMEOUT, Answer(), may_have_arrived=True),
    ConnectionLost: Transient(FailureCode.LINE_CONNECTION_LOST, Answer(), may_have_arrived=True),
}

REFUSALS: dict[int, FailureCode] = {
    400: FailureCode.LINE_BAD_REQUEST,
    401: FailureCode.LINE_UNAUTHORIZED,
    403: FailureCode.LINE_FORBIDDEN,
    404: FailureCode.LINE_NOT_FOUND,
    429: FailureCode.LINE_RATE_LIMITED,
}


def outcome_of(response: Response, token: str) -> Outcome:
    """What the answer means. `token` is kept out of what is recorded."""
    answer = _answer(response, token)
    match response.status:
        case status if 200 <= status < 300:
            return Accepted(answer, accepted_id=answer.request_id)
        case 409:
            return _conflict(answer, _id("x-line-accepted-request-id", response, token))
        case status if 300 <= status < 400:
            return Rejected(FailureCode.LINE_REDIRECTED, answer, may_have_arrived=True)
        case status if 400 <= status < 500:
            return Rejected(_refusal(response), answer)
    # 5xx, and the numbers that HTTP does not know, which say as little.
    return Transient(
        FailureCode.LINE_SERVER_ERROR, answer, may_have_arrived=True, retry_after=retry_after(response.headers)
    )


def _answer(response: Response, token: str) -> Answer:
    accepted = 200 <= response.status < 300
    detail = None if accepted else detail_of(response.body, token)
    return Answer(response.status, _id("x-line-request-id", response, token), detail)


def _id(header: str, response: Response, token: str) -> str | None:
    return cleaned(response.headers.get(header, ""), token, REQUEST_ID)


def _conflict(answer: Answer, accepted_id: str | None) -> Outcome:
    if accepted_id is None:
        return Rejected(FailureCode.LINE_CONFLICT, answer, may_have_arrived=True)
    return Accepted(answer, accepted_id=accepted_id, already=True)


def _refusal(response: Response) -> FailureCode:
    if response.status == 429 and message_of(response.body).strip() == QUOTA_MESSAGE:
        return FailureCode.LINE_QUOTA_EXCEEDED
    return REFUSALS.get(response.status, FailureCode.LINE_REJECTED)
