"""`flask vapid`: the key by which push services know this house."""

import click
from flask.cli import AppGroup

from app import tokens
from app.vapid import public_key

vapid = AppGroup("vapid", help="The key for Web Push.")


@vapid.command("new")
def new() -> None:
    """Print a new key pair, and where to put it. Nothing is stored."""
    private = tokens.vapid_key()
    click.echo(f"VAPID_PRIVATE_KEY={private}")
    click.echo(f"# Its public half, which browsers get from Todoke: {public_key(private)}")
    click.echo(
        "Put the first line into the environment of the pages and of every worker, and keep it secret.\n"
        "A device that subscribed with another key gets nothing until Todoke is opened on it again.",
        err=True,
    )
