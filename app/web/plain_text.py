"""Refusing what no text holds, before anything looks at it."""

from io import BytesIO
from itertools import chain
from typing import IO, Any
from urllib.parse import unquote_to_bytes

from flask import Flask, Request, abort, request
from werkzeug.formparser import FormDataParser


class _Forms(FormDataParser):
    """400 for fields that are no UTF-8, such as half a character: percent signs and figures would be made of them."""

    def parse(
        self, stream: IO[bytes], mimetype: str, content_length: int | None, options: dict[str, str] | None = None
    ) -> Any:
        if mimetype == "application/x-www-form-urlencoded":
            form = stream.read()
            _demand_utf8(unquote_to_bytes(form))
            stream = BytesIO(form)
        return super().parse(stream, mimetype, content_length, options)


class _Request(Request):
    form_data_parser_class = _Forms


def init_app(app: Flask) -> None:
    """Answer 400 to a NUL character in any field or file name: PostgreSQL cannot store it, and nobody types it."""
    app.request_class = _Request

    @app.before_request
    def refuse() -> None:
        texts = [*chain.from_iterable((*request.args.listvalues(), *request.form.listvalues()))]
        texts += [file.filename or "" for file in chain.from_iterable(request.files.listvalues())]
        if any("\0" in text for text in texts):
            abort(400)


def _demand_utf8(written: bytes) -> None:
    try:
        written.decode()
    except UnicodeDecodeError:
        abort(400)
