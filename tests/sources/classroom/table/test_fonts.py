"""Which fonts a table is drawn with, and what is said when there is none."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import ImageFont

from app.config import ConfigurationError, read_settings
from app.sources.classroom.publication.table import fonts
from app.sources.classroom.publication.table.fonts import GETA, NEEDED, Face, FontMissing, faces


@pytest.fixture
def japanese_font() -> Path:
    """The file of a font that has what is needed."""
    return Path(str(faces(None)[0].font(20).path))


@pytest.fixture
def latin_font(tmp_path: Path) -> Path:
    """The file of a font without Japanese: the one that comes inside Pillow."""
    inside = ImageFont.load_default(20)
    assert isinstance(inside, ImageFont.FreeTypeFont)
    assert isinstance(inside.path, BytesIO)
    path = tmp_path / "latin.ttf"
    path.write_bytes(inside.path.getvalue())
    return path


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without Japanese fonts; the folder is searched for packages."""
    monkeypatch.setattr(fonts, "DEBIAN_FONT", tmp_path / "none.ttc")
    monkeypatch.setattr(fonts, "PACKAGE", "noto_of_a_test")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_what_tables_need_is_found_on_this_machine() -> None:
    face = faces(None)[0]
    assert all(face.has(character) for character in NEEDED + "髙﨑𠮷邊齋①㈱～〜ー・")


def test_a_face_knows_what_it_lacks() -> None:
    face = faces(None)[0]
    assert not any(face.has(character) for character in "😀\uffff\ue000\U0010fffd\ud800ก")


def test_of_a_collection_the_japanese_font_is_taken(japanese_font: Path) -> None:
    family, _style = Face(japanese_font).font(20).getname()
    assert family == "Noto Sans CJK JP"


def test_the_chosen_font_comes_first_and_the_others_stand_by(latin_font: Path) -> None:
    chosen, *others = faces(latin_font)
    assert chosen.has("A")
    assert not chosen.has(GETA)
    assert others[0].has(GETA)


def test_the_font_of_the_package_is_found(japanese_font: Path, bare_machine: Path) -> None:
    package = bare_machine / fonts.PACKAGE
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('only looked up, never run')")
    (package / fonts.PACKAGE_FONT).symlink_to(japanese_font)
    [face] = faces(None)
    assert face.has(GETA)


def test_a_chosen_file_that_is_no_font_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "font.ttf"
    wrong.write_text("no font")
    with pytest.raises(FontMissing, match=r"SHIFT_FONT_PATH.*font\.ttf"):
        faces(wrong)


@pytest.mark.parametrize("chosen", [True, False])
def test_without_japanese_the_packages_to_install_are_named(bare_machine: Path, latin_font: Path, chosen: bool) -> None:
    with pytest.raises(FontMissing, match=r"noto-cjk-sans-jp-regular.*fonts-noto-cjk.*SHIFT_FONT_PATH"):
        faces(latin_font if chosen else None)


def test_a_setting_that_names_no_file_is_a_fault_at_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SHIFT_FONT_PATH", str(tmp_path / "none.ttf"))
    with pytest.raises(ConfigurationError, match="SHIFT_FONT_PATH: must be the path of a font file"):
        read_settings()


def test_a_setting_that_names_a_file_is_taken(monkeypatch: pytest.MonkeyPatch, japanese_font: Path) -> None:
    monkeypatch.setenv("SHIFT_FONT_PATH", str(japanese_font))
    assert read_settings().shift_font_path == japanese_font
