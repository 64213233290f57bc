"""The commands: `flask …`, one file a group."""

from flask import Flask


def register(app: Flask) -> None:
    """Register every command group."""
