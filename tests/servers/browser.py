"""The browser of this machine, for the tests that look at pages."""

import shutil
from pathlib import Path

from tests.servers.missing import missing

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON_A_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_chromium() -> str:
    """The path of Chromium or Chrome."""
    found = [path for name in NAMES if (path := shutil.which(name))] + [str(ON_A_MAC)] * ON_A_MAC.exists()
    if not found:
        missing(f"No browser was found: install chromium (looked on PATH for {', '.join(NAMES)}).")
    return found[0]
