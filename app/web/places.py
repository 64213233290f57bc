"""Where a reader may go next: paths of this site only."""

from urllib.parse import SplitResult, urlsplit


def own_path(wanted: str | None, otherwise: str) -> str:
    """`wanted` if it is a path of this site, which nobody else may choose the host of."""
    if not wanted or not wanted.isprintable() or "\\" in wanted or not wanted.startswith("/"):
        return otherwise
    parts = split(wanted)
    # Browsers read `//host` and `/\host` as another site.
    return otherwise if parts.scheme or parts.netloc or wanted.startswith("//") else wanted


def split(address: str) -> SplitResult:
    """The parts of an address that a browser sent; of one that is none, all are empty."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")
