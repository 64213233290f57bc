"""Who may change the sandbox: its own pages, and programs."""

from flask import abort, request


def refuse_foreign_origins() -> None:
    """403 for a POST from another site's page."""
    # Every browser names the origin of a POST; a tool that names none is no browser and cannot be tricked.
    origin = request.headers.get("Origin")
    ours = (None, f"http://{request.host}", f"https://{request.host}")
    if request.method == "POST" and origin not in ours:
        abort(403)
