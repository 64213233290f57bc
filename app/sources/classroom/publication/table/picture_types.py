"""What an uploaded file really is, by its first bytes: a sentence for each type that people try and that is refused."""

import re

from flask_babel import gettext as _

_BEGINNING = 1024
"""Bytes in which a text file says what it is."""

_PICTURE = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|RIFF....WEBP", re.DOTALL)
_HEIC = re.compile(rb"....ftyp(heic|heix|heim|heis|hevc|mif1|msf1)", re.DOTALL)
_HTML = re.compile(rb"<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_SVG = re.compile(rb"<svg[\s>]", re.IGNORECASE)


def refusal(uploaded: bytes) -> str | None:
    """Why a file of this type is not taken; None for the beginning of a PNG, JPEG or WebP file."""
    beginning = uploaded[:_BEGINNING]
    if _PICTURE.match(beginning):
        return None
    if beginning.startswith((b"GIF87a", b"GIF89a")):
        return str(_("GIF pictures are not accepted, for they can move. Save the table as PNG."))
    if b"%PDF-" in beginning:
        return str(_("This is a PDF. Export the page as a picture, PNG or JPEG, or take a screenshot of it."))
    if _HEIC.match(beginning):
        return str(_("HEIC photos are not accepted. Save the photo as JPEG, or take a screenshot of it."))
    if _HTML.search(beginning):
        return str(_("This is a web page, not a picture. Take a screenshot of it."))
    if _SVG.search(beginning):
        return str(_("SVG pictures are not accepted, for they can hold programs. Export the drawing as PNG."))
    return str(_("This is not a picture. Choose a PNG, JPEG or WebP file."))
