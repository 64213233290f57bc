"""When to try again."""

import random
from datetime import timedelta

from app.kinds import RetryPolicy

JITTER = 0.1
"""So that what failed together does not come back together."""
LONGEST_RETRY_AFTER = timedelta(hours=1)


def wait(policy: RetryPolicy, tries_made: int, retry_after: timedelta | None) -> timedelta:
    """How long to wait after the n-th try of a round. `Retry-After` lengthens it, never shortens it, to 1 h at most."""
    usual: timedelta = min(policy.first_wait * 2 ** (tries_made - 1), policy.longest_wait)
    asked = min(retry_after or timedelta(), LONGEST_RETRY_AFTER)
    return max(usual, asked) * (1 + random.uniform(0, JITTER))  # noqa: S311  # jitter is no secret
