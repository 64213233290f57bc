"""Whether a request wants the whole page or only the part of it that htmx will put in place."""

from flask import request

from app.web.places import own_path, split


def wants_part() -> bool:
    """True for a request by htmx for a part; a page that htmx fetches for its history is a whole one."""
    headers = request.headers
    whole = "HX-History-Restore-Request" in headers or headers.get("HX-Request-Type") == "full"
    return headers.get("HX-Request") == "true" and not whole


def page_behind() -> str:
    """Path and query of the page that htmx acts for or that a form stood on; of this request when nobody says.

    "/" where that is no path of this site.
    """
    url = split(request.headers.get("HX-Current-URL") or request.referrer or request.full_path)
    return own_path(f"{url.path}?{url.query}" if url.query else url.path, "/")
