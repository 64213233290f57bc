"""`python -m app.sandbox`: the stand-in for LINE and a push service on http://127.0.0.1:8001, until told to stop."""

import signal
import sqlite3
import sys
from types import FrameType

from app.config import INSTANCE, SANDBOX_PORT, SANDBOX_URL, ConfigurationError, read_settings
from app.sandbox import create_sandbox
from app.sandbox.connection import listen, serve_on

_FILE = INSTANCE / "sandbox.db"


def main() -> None:
    """Serve until SIGTERM or SIGINT; calls kept waiting end with the process."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        site = read_settings().base_url
    except ConfigurationError as fault:
        sys.exit(f"LINE sandbox: these settings are wrong:\n{fault}")
    try:
        listener = listen(SANDBOX_PORT)
    except OSError as fault:
        sys.exit(f"LINE sandbox: port {SANDBOX_PORT} is taken ({fault.strerror}); free it and start again.")
    try:
        sandbox = create_sandbox(_FILE, site)
    except sqlite3.DatabaseError as fault:
        sys.exit(f"LINE sandbox: its file {_FILE} cannot be read ({fault}); delete it and start again.")
    sys.stdout.write(f"LINE sandbox: {SANDBOX_URL}\n")
    sys.stdout.flush()
    serve_on(listener, sandbox).serve_forever()


def _stop(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


if __name__ == "__main__":
    main()
