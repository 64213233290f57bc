"""Picture files for tests, and the inside of PNG files."""

import struct
import zlib
from io import BytesIO

from PIL import Image

RED, WHITE = (255, 0, 0), (255, 255, 255)

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def flag(size: tuple[int, int] = (300, 200)) -> Image.Image:
    """White with a red corner at the top left."""
    image = Image.new("RGB", size, WHITE)
    image.paste(RED, (0, 0, 100, 100))
    return image


def file_of(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    """The image saved as a file."""
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def chunks(png: bytes) -> set[bytes]:
    """The kinds of chunks in a file."""
    kinds, at = set(), len(SIGNATURE)
    while at < len(png):
        kinds.add(png[at + 4 : at + 8])
        at += 12 + int.from_bytes(png[at : at + 4])
    return kinds


def bomb(width: int, height: int) -> bytes:
    """A file of a few bytes that claims to be a grey picture of this size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(1000))) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
