"""The background side: `python worker.py [--processes N] [--burst] [--no-clock]`."""

import argparse
import sys

from app.background import pool
from app.config import ConfigurationError, read_settings
from app.logs import to_standard_error


def main() -> int:
    """Run the worker pool and the clock; the exit code."""
    parser = argparse.ArgumentParser(description="Todoke's workers, and the clock that rings for them.")
    parser.add_argument("--processes", type=_count, default=1, metavar="N", help="how many workers (default 1)")
    parser.add_argument("--burst", action="store_true", help="hand over and work off what is due, then end")
    parser.add_argument("--no-clock", action="store_true", help="leave the clock to another machine")
    wanted = parser.parse_args()
    to_standard_error()
    try:
        read_settings()
    except ConfigurationError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    if wanted.burst:
        return pool.burst(wanted.processes)
    return pool.run(wanted.processes, with_clock=not wanted.no_clock)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError("give a whole number from 1 to 64")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
