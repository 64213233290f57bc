"""What may not stand in a template or script: htmx 2 spellings, which fail silently, and what the policy forbids."""

import json
import re
from pathlib import Path

import pytest

from app.config import ROOT
from tests.web.visitor import Visitor

FORBIDDEN = {
    "htmx 2 attribute": r"hx-(disabled-elt|ext|vars|params|disinherit|prompt|request)\b|sse-connect|ws-connect",
    "htmx 2 event": r"htmx:[a-z]+[A-Z]",
    "htmx 2 header": r"HX-Trigger-After|HX-Trigger-Name",
    "code in an attribute": r"\bhx-on\b|[\"']js:|\bjavascript:|\son[a-z]+\s*=\s*[\"']",
    "filter in a trigger": r"hx-trigger=\"[^\"]*\[",
    "inline style": r"\sstyle\s*=|<style",
    "inline script": r"<script(?![^>]*\bsrc=)",
    "boost": r"hx-boost",
    "raw table row out of band": r"<tr[^>]*hx-swap-oob",
}
SOURCES = [
    path
    for folder, pattern in (("templates", "*.html"), ("static", "*.js"))
    for path in sorted((ROOT / folder).rglob(pattern))
    if "vendor" not in path.parts and not {"sandbox", "sandbox.js"} & set(path.parts)
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_and_scripts_speak_htmx_4_and_keep_the_policy(path: Path) -> None:
    text = path.read_text()
    found = {name: match.group() for name, pattern in FORBIDDEN.items() if (match := re.search(pattern, text))}
    assert not found


def test_a_status_of_286_is_never_used_to_stop_polling() -> None:
    assert not [path for path in (ROOT / "app").rglob("*.py") if re.search(r"\b286\b", path.read_text())]


def test_the_configuration_of_htmx_is_strict_json(stranger: Visitor) -> None:
    page = stranger.get("/login").text
    config = re.search(r"name=\"htmx-config\" content='([^']+)'", page)
    assert config is not None
    assert "open" in json.loads(config.group(1))["morphIgnore"]


def test_the_token_is_given_in_both_spellings(stranger: Visitor) -> None:
    page = stranger.get("/login").text
    given = re.findall(r"(hx-headers(?::inherited)?)='([^']+)'", page)
    assert [name for name, _value in given] == ["hx-headers", "hx-headers:inherited"]
    assert all("X-CSRFToken" in json.loads(value) for _name, value in given)
