"""Tables as Japanese Excel saves them."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

JAPANESE_HEADINGS = ("ID", "講師メール", "教室", "日付", "開始", "終了", "状態", "備考")


@dataclass(frozen=True, slots=True)
class Format:
    """One entry of Excel's list under “Save as type”. `mark` is the byte order mark."""

    name: str
    encoding: str
    delimiter: str
    mark: bytes = b""


CSV_UTF8 = Format("CSV UTF-8 (コンマ区切り)", "utf-8", ",", b"\xef\xbb\xbf")
CSV = Format("CSV (コンマ区切り)", "cp932", ",")
UNICODE_TEXT = Format("Unicode テキスト", "utf-16-le", "\t", b"\xff\xfe")
TEXT = Format("テキスト (タブ区切り)", "cp932", "\t")
FORMATS = (CSV_UTF8, CSV, UNICODE_TEXT, TEXT)

ENCODINGS = (
    ("utf-8", b""),
    ("utf-8", b"\xef\xbb\xbf"),
    ("cp932", b""),
    ("utf-16-le", b"\xff\xfe"),
    ("utf-16-be", b"\xfe\xff"),
)
EVERY_FORMAT = tuple(
    Format(f"{encoding} {mark!r} {delimiter!r}", encoding, delimiter, mark)
    for encoding, mark in ENCODINGS
    for delimiter in ",\t;"
)
"""What Excel saves, and what other programs and other countries' Excel make of the same."""


def saved(rows: Iterable[Sequence[str]], as_: Format) -> bytes:
    """The bytes of the file: lines end in CRLF, and cells are quoted where they must be."""
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=as_.delimiter, lineterminator="\r\n").writerows(rows)
    return as_.mark + written.getvalue().encode(as_.encoding)
