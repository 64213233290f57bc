"""What the tests of the start may ask for."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """An instance folder; pytest's own are too long for the path of a socket."""
    folder = Path(tempfile.mkdtemp(prefix="todoke-", dir="/tmp")).resolve()
    yield folder
    shutil.rmtree(folder)
