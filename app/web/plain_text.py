"""Refusing what no text holds, before anything looks at it."""

from itertools import chain

from flask import Flask, abort, request


def init_app(app: Flask) -> None:
    """Answer 400 to a NUL character in any field or file name: PostgreSQL cannot store it, and nobody types it."""

    @app.before_request
    def refuse() -> None:
        texts = [*chain.from_iterable((*request.args.listvalues(), *request.form.listvalues()))]
        texts += [file.filename or "" for file in chain.from_iterable(request.files.listvalues())]
        if any("\0" in text for text in texts):
            abort(400)
