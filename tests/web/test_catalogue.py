"""Every word in Japanese, and the catalogue up to date."""

import io
import re

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.config import ROOT

JAPANESE = ROOT / "app/translations/ja/LC_MESSAGES"
HOW = "; babel.cfg says how to bring the catalogue up to date"


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with (JAPANESE / "messages.po").open("rb") as file:
        return read_po(file, locale="ja")


Word = str | tuple[str, ...]
"""A plural is both of its forms."""


def word(found: object) -> Word:
    return found if isinstance(found, str) else tuple(str(form) for form in found)  # type: ignore[attr-defined]


def written() -> set[Word]:
    """Every word that stands in the source."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # Babel forgot the types
    keywords = {**DEFAULT_KEYWORDS, "_l": None}
    found = extract_from_dir(ROOT, methods, options, keywords=keywords)
    return {word(message) for _file, _line, message, _comments, _context in found}


def test_the_catalogue_holds_every_word_of_the_source_and_no_other(catalogue: Catalog) -> None:
    kept = {word(message.id) for message in catalogue if message.id}
    assert kept == written(), HOW


def _forms(text: object) -> list[str]:
    """The forms of a plural, or the one of anything else."""
    return [text] if isinstance(text, str) else [str(form) for form in text]  # type: ignore[attr-defined]


def test_every_word_has_its_japanese(catalogue: Catalog) -> None:
    missing = [message.id for message in catalogue if message.id and (not all(_forms(message.string)) or message.fuzzy)]
    assert not missing


def test_the_japanese_fills_in_the_same_values(catalogue: Catalog) -> None:
    def values(text: object) -> set[str]:
        return set(re.findall(r"%\(\w+\)[sd]", str(text)))

    differing = [
        message.id
        for message in catalogue
        if message.id and any(values(form) != values(_forms(message.id)[-1]) for form in _forms(message.string))
    ]
    assert not differing


def test_the_compiled_catalogue_is_the_written_one(catalogue: Catalog) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    assert (JAPANESE / "messages.mo").read_bytes() == compiled.getvalue(), HOW
