"""Texts in a drawn table: whole, legible, and never with a character lost silently."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFont

from app.sources.classroom.publication.table.fonts import GETA, Face, faces
from app.sources.classroom.publication.table.lettering import Lettering
from tests.servers.missing import missing

FACES = faces(None)
KUZU = "葛"
KUZU_OF_KATSUSHIKA, KUZU_OF_KATSURAGI = KUZU + "\U000e0101", KUZU + "\U000e0100"


def _seen(text: str, width: int = 1000, fonts: Sequence[Face] = FACES) -> tuple[tuple[int, int], bytes]:
    mask = Lettering(fonts).mask(text, 30, width, 16)
    return mask.size, mask.tobytes()


def _ink(mask: Image.Image) -> bool:
    return mask.getbbox() is not None


@pytest.mark.parametrize("character", "髙﨑𠮷邊齋①㈱")
def test_rare_characters_of_names_are_drawn_as_themselves(character: str) -> None:
    lettering = Lettering(FACES)
    assert _ink(lettering.mask(character, 30, 1000, 16))
    assert _seen(character) != _seen(GETA)
    assert not lettering.missing


@pytest.mark.parametrize(("rare", "usual"), [("髙", "高"), ("﨑", "崎"), ("𠮷", "吉"), ("\ufa19", "神")])
def test_a_rare_form_is_not_replaced_by_the_usual_one(rare: str, usual: str) -> None:
    assert _seen(rare) != _seen(usual)


def test_a_variant_of_a_kanji_is_drawn_as_that_variant() -> None:
    if not FACES[0].shapes:
        missing("libfribidi was not found: install it (Debian's libfribidi0), or variant kanji cannot be drawn.")
    assert _seen(KUZU_OF_KATSURAGI) != _seen(KUZU)
    assert _seen(KUZU_OF_KATSUSHIKA) == _seen(KUZU)


def test_where_letters_cannot_be_shaped_a_variant_is_drawn_as_the_usual_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFont.core, "HAVE_RAQM", False)
    unshaped = faces(None)
    assert not unshaped[0].shapes
    assert _seen(KUZU_OF_KATSURAGI, fonts=unshaped) == _seen(KUZU, fonts=unshaped)


def test_a_character_that_no_font_has_is_drawn_as_a_geta_and_told() -> None:
    lettering = Lettering(FACES)
    assert lettering.mask("山田😀", 30, 1000, 16).tobytes() == lettering.mask("山田" + GETA, 30, 1000, 16).tobytes()
    assert lettering.missing == {"😀"}


def test_letters_and_their_marks_are_one_character() -> None:
    assert _seen("か\u3099き\u3099") == _seen("がぎ")
    assert _seen("Jose\u0301") == _seen("José")


@pytest.mark.parametrize("written", ["山田\n花子", " 山田\u3000 花子\t", "山\u200b田 花子", "\u202e山田 花子\u202c"])
def test_what_cannot_be_seen_does_not_change_a_name(written: str) -> None:
    assert _seen(written) == _seen("山田 花子")


def test_a_long_text_becomes_smaller_before_it_is_cut() -> None:
    assert _seen("マイケル・ジョンソン", 220) != _seen("マイケル・ジョンソン")
    assert _seen("マイケル・ジョンソン", 220) != _seen("マイケル…ョンソン", 220)


def test_a_text_too_long_at_the_smallest_size_loses_whole_characters_in_its_middle() -> None:
    assert _seen("あいうえおかきくけこさしすせそ", 16 * 7) == _seen("あいう…すせそ", 16 * 7)
    long = KUZU_OF_KATSURAGI * 9
    assert _seen(long, 16 * 5) == _seen(KUZU_OF_KATSURAGI * 2 + "…" + KUZU_OF_KATSURAGI * 2, 16 * 5)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("渋谷", ["渋谷"]),
        ("Ikebukuro", ["Ikebukuro"]),
        ("Shinjuku West Exit", ["Shinjuku", "West Exit"]),
        ("新宿西口教室", ["新宿西", "口教室"]),
        ("マイケル・ジョンソン", ["マイケル・", "ジョンソン"]),
    ],
)
def test_a_name_too_long_for_a_line_takes_two(text: str, lines: list[str]) -> None:
    assert Lettering(FACES).lines(text, 78, 16) == lines


@settings(max_examples=60)
@given(st.text(max_size=30))
@example("\ud800")
@example("\x00")
@example("‏עברית‏")
def test_any_text_is_drawn_within_its_width(text: str) -> None:
    assert Lettering(FACES).mask(text, 30, 100, 16).width <= 102
