"""The text of a file as spreadsheets save it: UTF-8, the CP932 of Japanese Windows, or UTF-16 behind its mark."""

import codecs
import re

from flask_babel import gettext as _

from app.faults import Fault, InvalidInput
from app.sources.classroom.imports.headings import WHOLE_FILE

LARGEST_FILE = 5 * 1024 * 1024
"""Bytes."""

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UNMARKED = ("utf-8", "cp932")
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How .xlsx and .xls begin."""

_LINE_END = re.compile(r"\r\n|\r|\n")


def text_of(data: bytes) -> str:
    """The text, without a byte order mark. Raises InvalidInput for what is too large, or is no text.

    CP932 has the characters that NEC and IBM added to Shift_JIS: ①, 髙, 﨑. Japanese in CP932 is never valid UTF-8 once
    it holds a kanji, so UTF-8 is tried first.
    """
    if len(data) > LARGEST_FILE:
        raise InvalidInput(Fault(WHOLE_FILE, _("Expected a file of at most 5 MB.")))
    if data.startswith(_WORKBOOKS):
        workbook = _("This is an Excel workbook. Save it in Excel as “CSV UTF-8”, and choose that file.")
        raise InvalidInput(Fault(WHOLE_FILE, workbook))
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return _decoded(data[len(mark) :], (encoding,))
    return _decoded(data, _UNMARKED)


def _decoded(data: bytes, encodings: tuple[str, ...]) -> str:
    failures: list[UnicodeDecodeError] = []
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as failure:
            failures.append(failure)
    # What was read the furthest is what it most likely is.
    raise InvalidInput(_unreadable(max(failures, key=lambda failure: failure.start)))


def _unreadable(failure: UnicodeDecodeError) -> Fault:
    before = failure.object[: failure.start].decode(failure.encoding, "replace")
    line = len(_LINE_END.findall(before)) + 1
    expected = _(
        "Some of this line cannot be read as text. Save the file in Excel as “CSV UTF-8”, and choose that file."
    )
    return Fault(WHOLE_FILE, expected, line)
