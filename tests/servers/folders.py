"""Where the data of tests lies: in memory where there is enough of it, for nothing here outlives the run."""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH = 2 * 1024**3
"""Bytes. Containers often have no more than 64 MB there."""


def new_folder(prefix: str) -> Path:
    """A new, empty folder with a short path: that of a unix socket must stay under 104 bytes."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH
    return Path(tempfile.mkdtemp(prefix=prefix, dir=MEMORY if roomy else "/tmp"))
