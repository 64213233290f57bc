"""The headers that every answer carries."""

from flask import Flask, Response, request

from app.config import Settings

FOR_EVERYBODY = ("static", "installing.worker", "installing.manifest")
"""Files, the same for whoever asks."""


def init_app(app: Flask) -> None:
    """Set them last, whatever the view did."""
    settings: Settings = app.config["SETTINGS"]
    policy = _policy(settings.htmx_url)
    encrypted = settings.base_url.startswith("https://")

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = policy
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers["X-Frame-Options"] = "DENY"
        if encrypted:
            response.headers["Strict-Transport-Security"] = "max-age=31536000"
        if request.endpoint not in FOR_EVERYBODY:
            # What an operator saw must not come back out of a cache after signing out, nor a part as a page.
            response.headers["Cache-Control"] = "private, no-store"
            response.vary.add("HX-Request")
        return response


def _policy(htmx_url: str) -> str:
    """Scripts from here and one file of the CDN: allowing its host would allow every package on it."""
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' {htmx_url}",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "object-src 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "worker-src 'self'",
            "manifest-src 'self'",
        )
    )
