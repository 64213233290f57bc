"""Uploaded bytes that are damaged, cut off or nothing at all."""

import os
from collections.abc import Sequence
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from app.faults import Fault, InvalidInput
from app.sources.classroom.publication.table.picture import Picture, read_picture
from tests.sources.classroom.table.pictures import file_of, flag

STARTS = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF\x24\0\0\0WEBPVP8 ", b"GIF89a", b"<svg ", b"%PDF-", b""]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("part", [0.02, 0.5, 0.95])
def test_a_picture_that_was_cut_off_is_refused(kind: str, part: float) -> None:
    noise = Image.frombytes("RGB", (200, 200), os.urandom(200 * 200 * 3))
    uploaded = file_of(noise, kind)
    _picture, [fault] = _read(uploaded[: int(len(uploaded) * part)])
    assert "damaged or incomplete" in fault.message


@settings(max_examples=200)
@given(st.sampled_from(STARTS), st.binary(max_size=400))
def test_any_bytes_give_a_picture_or_a_sentence(start: bytes, rest: bytes) -> None:
    _picture_or_sentence(start + rest)


@settings(max_examples=200)
@given(
    st.sampled_from(["PNG", "JPEG", "WEBP"]),
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=8),
)
def test_any_damage_gives_a_picture_or_a_sentence(kind: str, damage: list[tuple[int, int]]) -> None:
    uploaded = bytearray(file_of(flag((120, 110)), kind))
    for place, value in damage:
        uploaded[place % len(uploaded)] = value
    _picture_or_sentence(bytes(uploaded))


def _picture_or_sentence(uploaded: bytes) -> None:
    picture, faults = _read(uploaded)
    assert all(fault.field == "image" and fault.message for fault in faults)
    assert picture is None or Image.open(BytesIO(picture.png)).size == (picture.width, picture.height)


def _read(uploaded: bytes) -> tuple[Picture | None, Sequence[Fault]]:
    try:
        return read_picture(uploaded), ()
    except InvalidInput as refused:
        return None, refused.faults
