"""A kind to fill inboxes with."""

from collections.abc import Iterator

import pytest

from tests.fakes.inbox_kind import Greeting, greeting


@pytest.fixture
def kind() -> Iterator[Greeting]:
    with greeting() as one:
        yield one
