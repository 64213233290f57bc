"""Rule 9: templates get values; they ask nothing and decide nothing."""

from collections.abc import Iterator

from jinja2 import Environment, nodes

from app.config import ROOT
from tests.architecture.code import Breach

ASKING = {"db", "query", "session", "execute", "scalars", "scalar", "filter_by", "select", "now", "timedelta"}
ARITHMETIC = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
ORDERING = {"gt", "gteq", "lt", "lteq"}
WORDS_IN_A_CONDITION = 3
"""Conditions joined by and/or; with more of them a rule has moved into the page."""


def house_templates() -> list[tuple[str, str]]:
    """(path, text) of every template."""
    return [(str(path.relative_to(ROOT)), path.read_text()) for path in sorted((ROOT / "templates").rglob("*.html"))]


def templates_get_values(path: str, text: str) -> Iterator[Breach]:
    """9: no query and no rule in a template."""
    tree = Environment(extensions=["jinja2.ext.i18n"]).parse(text)
    for node in tree.find_all(nodes.Node):
        if isinstance(node, nodes.Name | nodes.Getattr):
            word = node.name if isinstance(node, nodes.Name) else node.attr
            if word in ASKING:
                yield Breach(path, node.lineno, f"`{word}` asks for something in a template (rule 9)")
        elif isinstance(node, nodes.If | nodes.CondExpr):
            yield from _decides(path, node.test)


def _decides(path: str, test: nodes.Node) -> Iterator[Breach]:
    parts: list[nodes.Node] = [test, *test.find_all(nodes.Node)]
    if any(isinstance(part, ARITHMETIC) for part in parts):
        yield Breach(path, test.lineno, "a condition calculates in a template (rule 9)")
    operands = [part for part in parts if isinstance(part, nodes.Operand)]
    if any(one.op in ORDERING and not _is_one_or_many(one) for one in operands):
        yield Breach(path, test.lineno, "a condition knows a limit in a template (rule 9)")
    if any(one.op in ("in", "notin") and isinstance(one.expr, nodes.List | nodes.Tuple) for one in operands):
        yield Breach(path, test.lineno, "a condition knows a list of cases in a template (rule 9)")
    if sum(isinstance(part, nodes.And | nodes.Or) for part in parts) >= WORDS_IN_A_CONDITION:
        yield Breach(path, test.lineno, "a condition joins too much in a template (rule 9)")


def _is_one_or_many(operand: nodes.Operand) -> bool:
    return isinstance(operand.expr, nodes.Const) and operand.expr.value in (0, 1)
