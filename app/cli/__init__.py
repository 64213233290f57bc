"""The commands: `flask …`, one file a group."""

from flask import Flask

from app.cli.accounts import accounts
from app.cli.classrooms import classrooms
from app.cli.deliveries import deliveries
from app.cli.demo import demo
from app.cli.doctor import doctor
from app.cli.gate import gate
from app.cli.publications import publications
from app.cli.scan import scan
from app.cli.shifts import shifts
from app.cli.vapid import vapid


def register(app: Flask) -> None:
    """Register every command group."""
    for command in (accounts, classrooms, shifts, publications, scan, deliveries, gate, demo, doctor, vapid):
        app.cli.add_command(command)
