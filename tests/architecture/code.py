"""The house as text: its modules, what they import, and what a breach of a rule looks like."""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from app.config import ROOT


@dataclass(frozen=True)
class Import:
    """One imported name. `module` is the module itself where `from app import audit` names one."""

    line: int
    module: str
    name: str | None
    inside_function: bool


@dataclass(frozen=True)
class Breach:
    """A rule that was broken, and where."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


class Module:
    """One source file, by its path from the root of the repository. `name` is `app.outbox.state`."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.name = name_of(path)
        self.source = source
        self.tree = ast.parse(source, path)

    @cached_property
    def imports(self) -> list[Import]:
        """What it imports, those for the type checker aside."""
        return list(_imports(self.tree, inside_function=False))

    def breach(self, where: ast.AST | Import, what: str) -> Breach:
        """A breach at this node."""
        return Breach(self.path, where.line if isinstance(where, Import) else getattr(where, "lineno", 1), what)

    def within(self, *parts: str) -> bool:
        """Whether it lies in one of these, each a module or a package: `app.web`."""
        return is_within(self.name, parts)

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """Every node of its tree."""
        return list(ast.walk(self.tree))


Check = Callable[[Module], Iterable[Breach]]


def is_within(name: str, parts: Iterable[str]) -> bool:
    """Whether a dotted name is one of these modules or packages, or lies in one."""
    return any(name == part or name.startswith(f"{part}.") for part in parts)


def last_name(node: ast.expr) -> str:
    """The word right before the dot: `session` for both `session` and `tx.session`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def name_of(path: str) -> str:
    """`app.outbox.state`; a package goes by its folder, `app.outbox`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def paths() -> list[str]:
    """The files of the product."""
    found = [*sorted((ROOT / "app").rglob("*.py")), ROOT / "wsgi.py", ROOT / "worker.py"]
    return [str(path.relative_to(ROOT)) for path in found]


@cache
def house() -> Sequence[Module]:
    """Every module of the product."""
    return [Module(path, (ROOT / path).read_text()) for path in paths()]


NAMES = {name_of(path) for path in paths()}


def _imports(node: ast.AST, inside_function: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(child.lineno, one.name, None, inside_function) for one in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from (_named(child, one.name, inside_function) for one in child.names)
        elif not _is_for_the_type_checker(child):
            yield from _imports(child, inside_function or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


def _named(node: ast.ImportFrom, name: str, inside_function: bool) -> Import:
    module = node.module or ""
    if node.level:
        return Import(node.lineno, "." * node.level + module, name, inside_function)
    is_module = f"{module}.{name}" in NAMES
    return Import(
        node.lineno, f"{module}.{name}" if is_module else module, None if is_module else name, inside_function
    )


def _is_for_the_type_checker(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and last_name(node.test) == "TYPE_CHECKING"
