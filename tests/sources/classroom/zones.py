"""An installation in another time zone."""

from flask import Flask


def move_to(app: Flask, zone: str) -> None:
    """From now on this app shows and reads times in this zone."""
    app.config["SETTINGS"] = app.config["SETTINGS"].model_copy(update={"timezone": zone})
