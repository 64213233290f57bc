"""What to do when a program that a test needs is not on this machine."""

import os
from typing import NoReturn

import pytest


def missing(sentence: str) -> NoReturn:
    """Skips the test with this sentence; under CI it fails, so that a green run there has run everything."""
    if os.environ.get("CI"):
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)
