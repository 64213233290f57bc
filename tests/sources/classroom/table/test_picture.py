"""Uploaded pictures: what is taken, what becomes of it, and what each refusal says."""

import os
import tracemalloc
import warnings
from io import BytesIO

import pytest
from PIL import ExifTags, Image, PngImagePlugin

from app.faults import InvalidInput
from app.sources.classroom.publication.table.picture import LARGEST_FILE, LARGEST_RESULT, Picture, read_picture
from tests.sources.classroom.table.pictures import WHITE, bomb, chunks, file_of, flag

BLUE = (0, 0, 255)


def _open(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(picture.png))
    assert image.format == "PNG"
    assert image.size == (picture.width, picture.height)
    return image.convert("RGB")


def _refusal(uploaded: bytes) -> str:
    with pytest.raises(InvalidInput) as refused:
        read_picture(uploaded)
    [fault] = refused.value.faults
    assert fault.field == "image"
    return fault.message


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_taken_whatever_its_name(kind: str) -> None:
    image = _open(read_picture(file_of(flag(), kind)))
    assert image.size == (300, 200)
    assert image.getpixel((250, 150)) == WHITE
    red, green, blue = image.getpixel((50, 50))  # type: ignore[misc]
    assert red > 240 > 20 > max(green, blue)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_way_to_store_colours_gives_the_picture(mode: str) -> None:
    image = flag().convert("L").convert("I;16").point(lambda grey: grey * 257 + 0) if mode == "I;16" else flag()
    kind = "JPEG" if mode == "CMYK" else "PNG"
    read = _open(read_picture(file_of(image if mode == "I;16" else image.convert(mode), kind)))
    red, green, blue = read.getpixel((250, 150))  # type: ignore[misc]
    assert min(red, green, blue) > 250
    assert read.getpixel((50, 50)) != read.getpixel((250, 150))


def test_what_is_transparent_becomes_white() -> None:
    image = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    image.paste((0, 0, 255, 255), (0, 0, 100, 100))
    read = _open(read_picture(file_of(image)))
    assert (read.getpixel((50, 50)), read.getpixel((150, 150))) == (BLUE, WHITE)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize(
    ("orientation", "size", "corner"),
    [(1, (300, 200), (50, 50)), (3, (300, 200), (250, 150)), (6, (200, 300), (150, 50)), (8, (200, 300), (50, 250))],
)
def test_a_photo_is_turned_upright(kind: str, orientation: int, size: tuple[int, int], corner: tuple[int, int]) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    read = _open(read_picture(file_of(flag(), kind, exif=exif)))
    assert read.size == size
    red, green, _blue = read.getpixel(corner)  # type: ignore[misc]
    assert red > 240 > 20 > green


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_nothing_is_left_but_the_pixels(kind: str) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = "secret-artist"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSMapDatum] = "secret-place"
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "secret-comment")
    options = {"pnginfo": text} if kind == "PNG" else {}
    uploaded = file_of(flag(), kind, exif=exif, icc_profile=b"secret-profile" * 20, **options) + b"secret-tail"
    assert b"secret" in uploaded
    png = read_picture(uploaded).png
    assert b"secret" not in png
    assert chunks(png) == {b"IHDR", b"IDAT", b"IEND"}


@pytest.mark.parametrize(("size", "result"), [((4800, 1200), (4096, 1024)), ((600, 8192), (300, 4096))])
def test_the_longest_side_becomes_4096_pixels(size: tuple[int, int], result: tuple[int, int]) -> None:
    assert _open(read_picture(file_of(flag(size)))).size == result


def test_a_photo_is_made_smaller_until_a_phone_can_load_it() -> None:
    noise = Image.frombytes("RGB", (1800, 1600), os.urandom(1800 * 1600 * 3))
    picture = read_picture(file_of(noise, "JPEG"))
    assert len(picture.png) <= LARGEST_RESULT
    assert 1000 < picture.width < 1800
    assert picture.width / picture.height == pytest.approx(1800 / 1600, rel=0.01)


@pytest.mark.parametrize("size", [(50_000, 50_000), (8_000, 8_000), (12_001, 200), (200, 2**31 - 1)])
def test_a_pixel_bomb_is_refused_before_it_goes_off(size: tuple[int, int]) -> None:
    uploaded = bomb(*size)
    assert len(uploaded) < 200
    tracemalloc.start()
    try:
        assert "at most 40 megapixels" in _refusal(uploaded)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_pixel_bomb_is_refused_even_where_warnings_are_silenced() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "at most 40 megapixels" in _refusal(bomb(8_000, 8_000))


def test_a_text_bomb_inside_a_picture_is_refused() -> None:
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "0" * 80_000_000, zip=True)
    uploaded = file_of(flag(), pnginfo=text)
    assert len(uploaded) < 200_000
    assert "damaged" in _refusal(uploaded)


@pytest.mark.parametrize(
    ("uploaded", "sentence"),
    [
        (b"", "Choose a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x --><svg onload='alert(1)'>", "SVG"),
        (b"<!DOCTYPE html><html><body><svg></svg>", "web page"),
        (b"\n  <HTML><script>alert(1)</script>", "web page"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (file_of(flag(), "GIF"), "GIF"),
        (file_of(flag(), "TIFF"), "not a picture"),
        (file_of(flag(), "BMP"), "not a picture"),
        ("シフト表".encode(), "not a picture"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
    ],
)
def test_every_other_type_gets_its_sentence(uploaded: bytes, sentence: str) -> None:
    assert sentence in _refusal(uploaded)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_picture_that_moves_is_refused(kind: str) -> None:
    moving = file_of(flag(), kind, save_all=True, append_images=[Image.new("RGB", (300, 200), BLUE)])
    assert "moves" in _refusal(moving)


def test_a_photo_with_a_second_picture_inside_is_taken() -> None:
    photo = file_of(flag(), "MPO", save_all=True, append_images=[Image.new("RGB", (300, 200), BLUE)])
    assert _open(read_picture(photo)).size == (300, 200)


def test_a_file_over_10_mb_and_a_picture_under_100_pixels_are_refused() -> None:
    assert "larger than 10 MB" in _refusal(file_of(flag()) + bytes(LARGEST_FILE))
    assert "at least 100 pixels" in _refusal(file_of(Image.new("RGB", (99, 2000))))
