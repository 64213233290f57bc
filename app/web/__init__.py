"""WHO LOOKS: the pages."""

from flask import Flask


def register(app: Flask) -> None:
    """Register every blueprint."""
