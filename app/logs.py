"""Where log lines go. They name ids, codes and types; never a token, an address or a message."""

import logging
import re

_TOKEN = re.compile(r"(/invitations/)[^/?\s\"']+")


class _WithoutTokens(logging.Filter):
    """Cuts the token out of the address of an invitation: whoever reads the log must not be let in by it."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if _TOKEN.search(said):
            record.msg, record.args = _TOKEN.sub(r"\1…", said), None
        return True


_without_tokens = _WithoutTokens()
_NAME_ADDRESSES = ("app", "werkzeug", "gunicorn.access", "gunicorn.error")


def hide_tokens() -> None:
    """Keep tokens out of whatever this process says about requests: Flask's own faults, and the server's lines."""
    for name in _NAME_ADDRESSES:
        logging.getLogger(name).addFilter(_without_tokens)


def to_standard_error() -> None:
    """Send log lines of level INFO and above to standard error, for whoever supervises this process."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)


def place_of(error: Exception) -> str:
    """Where in the code it was raised: file and line. Its text is left out, for it may quote what was to be said."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place is not None else "unknown"
