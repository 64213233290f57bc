"""Whether a request that carries no token comes from our own pages all the same."""

from urllib.parse import urlsplit

from flask import current_app, request

from app.config import Settings

HEADER = "X-Todoke"
SERVICE_WORKER = "service-worker"


def from_our_service_worker() -> bool:
    """A header that no form can send and no other site may, and the browser's own word for where it comes from."""
    return request.headers.get(HEADER) == SERVICE_WORKER and _same_origin()


def _same_origin() -> bool:
    site = request.headers.get("Sec-Fetch-Site")  # Fetch Metadata: not settable by scripts
    if site is not None:
        return site == "same-origin"
    settings: Settings = current_app.config["SETTINGS"]
    origin = request.headers.get("Origin")
    return origin is not None and origin in (_origin(settings.base_url), _origin(request.host_url))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
