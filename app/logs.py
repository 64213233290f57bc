"""Where log lines go. They name ids, codes and types; never a token, an address or a message."""

import logging


def to_standard_error() -> None:
    """Send log lines of level INFO and above to standard error, for whoever supervises this process."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
