"""Refusing what no text holds, before anything looks at it."""

from flask import Flask, abort, request


def init_app(app: Flask) -> None:
    """Answer 400 to a NUL character in any field: PostgreSQL cannot store it, and nobody types it."""

    @app.before_request
    def refuse() -> None:
        texts = (*request.args.values(), *request.form.values())
        if any("\0" in text for text in texts):
            abort(400)
