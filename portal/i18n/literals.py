"""Whether every text that is handed to a translator is in the catalogue.

The collector (`catalogues`) finds texts by the name of the function around them. That misses a literal in another
spelling, such as `gettext_for(locale)("Free")`. This check follows the translator instead: from where it is made to its
calls, through constants and through helpers that pass a text on.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from portal.kernel.texts import catalogue

ROOT = Path(__file__).resolve().parents[2]

_PAGES = "portal.i18n"
_METHODS = frozenset({"gettext", "ngettext", "template", "forms"})
_OF_PAGES = frozenset({"_", "ngettext"})
_MAKERS = {("portal.kernel.texts", "gettext_for"), ("portal.kernel.texts", "catalogue")}
_DEEPEST = 6
"""Names behind a name that are followed; a name may be assigned from itself."""

_TRANSLATES = re.compile(r"gettext_for|catalogue\(|LocalizedText|\bboth\b|portal\.i18n")
"""What stands in every module that translates."""


@dataclass
class _Module:
    path: Path
    tree: ast.Module
    constants: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)


@cache
def _module(path: Path) -> _Module:
    found = _Module(path, ast.parse(path.read_text("utf-8")))
    for node in found.tree.body:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found.constants.update(dict.fromkeys(names, node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found.constants[node.target.id] = node.value
    for node in ast.walk(found.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                found.imports[name.asname or name.name] = (node.module, name.name)
    return found


def _imported(module: str) -> _Module | None:
    base = ROOT / Path(*module.split("."))
    path = next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
    return _module(path) if path else None


def literal_problems(folder: Path = ROOT / "portal") -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        if not _TRANSLATES.search(path.read_text("utf-8")):
            continue
        for text, line in _handed_over(_module(path)):
            if text and text not in catalogue("nl").messages:
                place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
                yield f"{place}:{line}: {text!r} is translated, but in no catalogue: mark it with N_"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a translator.

    `text`: the first argument, which is the id of the message.
    `function`: the function around it; None at the top level.
    """

    text: ast.expr
    line: int
    local: Mapping[str, ast.expr]
    function: ast.FunctionDef | ast.AsyncFunctionDef | None


def _handed_over(module: _Module) -> Iterator[tuple[str, int]]:
    calls = list(_calls(module.tree, module, _translators(module.constants, module, frozenset()), {}, None))
    for call in calls:
        yield from ((text, call.line) for text in _texts(call.text, module, call.local))
    # Helpers hand a parameter to a translator.
    helpers = {
        (call.function.name, call.text.id): _parameters(call.function)
        for call in calls
        if call.function and isinstance(call.text, ast.Name) and call.text.id in _parameters(call.function)
    }
    if not helpers:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = {entry.arg: entry.value for entry in node.keywords}
            for (name, parameter), parameters in helpers.items():
                if name == node.func.id:
                    argument = dict(zip(parameters, node.args, strict=False)).get(parameter, given.get(parameter))
                    found = _texts(argument, module, {}) if argument is not None else ()
                    yield from ((text, node.lineno) for text in found)


def _calls(
    scope: ast.AST,
    module: _Module,
    known: frozenset[str],
    local: Mapping[str, ast.expr],
    function: ast.FunctionDef | ast.AsyncFunctionDef | None,
) -> Iterator[_Call]:
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = _assigned(node)
            inside = _translators(names, module, known | ({"_"} & {*_parameters(node)}))
            yield from _calls(node, module, inside, {**local, **names}, function or node)
            continue
        if isinstance(node, ast.Call) and node.args and _translates(node.func, module, known):
            yield _Call(node.args[0], node.lineno, local, function)
        yield from _calls(node, module, known, local, function)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [entry.arg for entry in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def _assigned(scope: ast.AST) -> dict[str, ast.expr]:
    """Names that are assigned once in a scope, also several in one statement."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                found[target.id] = node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)
                found.update({name.id: value for name, value in pairs if isinstance(name, ast.Name)})
    return found


def _translators(names: Mapping[str, ast.expr], module: _Module, known: frozenset[str]) -> frozenset[str]:
    return known | {name for name, value in names.items() if _made(value, module) or _is_localized_of(value)}


def _made(value: ast.expr, module: _Module) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and module.imports.get(value.func.id) in _MAKERS
    )


def _is_localized_of(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Attribute)
        and value.attr == "of"
        and isinstance(value.value, ast.Name)
        and value.value.id == "LocalizedText"
    )


def _translates(function: ast.expr, module: _Module, known: frozenset[str]) -> bool:
    if _is_localized_of(function):
        return True
    if isinstance(function, ast.Call):
        return _made(function, module)
    if isinstance(function, ast.Attribute) and function.attr in _METHODS:
        owner = function.value
        return owner.id in known if isinstance(owner, ast.Name) else _made(owner, module)
    if not isinstance(function, ast.Name):
        return False
    source, name = module.imports.get(function.id, ("", ""))
    of_pages = source.startswith(_PAGES) and name in _OF_PAGES
    return function.id in known or of_pages or (source, name) == ("portal.kernel.texts", "both")


def _texts(value: ast.expr, module: _Module, local: Mapping[str, ast.expr], depth: int = 0) -> Iterator[str]:
    """The texts that an expression may be, as far as the source says it."""
    again = depth + 1
    if depth > _DEEPEST:
        return
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=first, orelse=second):
            yield from (text for part in (first, second) for text in _texts(part, module, local, again))
        case ast.BoolOp(values=parts) | ast.Call(func=ast.Name(id="N_"), args=parts):
            yield from (text for part in parts for text in _texts(part, module, local, again))
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
            yield from _values(table, module, local, again)
        case ast.Name(id=name):
            found = (module, local[name]) if name in local else _constant(name, module)
            yield from _texts(found[1], found[0], {}, again) if found else ()


def _values(table: ast.expr, module: _Module, local: Mapping[str, ast.expr], depth: int) -> Iterator[str]:
    if isinstance(table, ast.Name):
        found = (module, local[table.id]) if table.id in local else _constant(table.id, module)
        if found:
            yield from _values(found[1], found[0], {}, depth)
    elif isinstance(table, ast.Dict):
        for value in table.values:
            yield from _texts(value, module, local, depth)


def _constant(name: str, module: _Module) -> tuple[_Module, ast.expr] | None:
    if name in module.constants:
        return module, module.constants[name]
    source, original = module.imports.get(name, ("", ""))
    origin = _imported(source) if source.startswith("portal.") else None
    return (origin, origin.constants[original]) if origin and original in origin.constants else None
