"""Rules of the source that no tool knows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from portal.launch import ROOT

_HANDLER_DECORATORS = ("event", "var", "property", "classmethod", "staticmethod", "override")


def _modules(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def _state_classes(module: Path) -> Iterator[ast.ClassDef]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ClassDef) and any(re.search(r"\bState\b", ast.unparse(base)) for base in node.bases):
            yield node


def test_no_public_method_of_a_state_is_an_endpoint_by_accident() -> None:
    exposed = []
    for module in _modules("portal"):
        for cls in _state_classes(module):
            for item in cls.body:
                if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) or item.name.startswith("_"):
                    continue
                names = [ast.unparse(decorator).split("(")[0].split(".")[-1] for decorator in item.decorator_list]
                if not set(names) & set(_HANDLER_DECORATORS):
                    exposed.append(f"{module.name}:{item.lineno} {cls.name}.{item.name}")
    assert not exposed


def test_state_modules_keep_their_annotations_real() -> None:
    delayed = "from __future__ import annotations"
    with_states = [path for path in _modules("portal") if any(_state_classes(path))]
    assert not [path.name for path in with_states if delayed in path.read_text()]


def test_tables_and_models_of_the_contract_keep_their_annotations_real() -> None:
    """Pydantic would compile each of their 2,800 annotations at every start."""
    delayed = "from __future__ import annotations"
    models = {*ROOT.glob("portal/tables/*.py"), *ROOT.glob("portal/*/api.py")} - {ROOT / "portal/provider/api.py"}
    assert not [path.relative_to(ROOT) for path in models if delayed in path.read_text()]


def test_every_exception_to_a_rule_of_ruff_or_pyrefly_has_its_reason() -> None:
    """Of ruff: `noqa: CODE - reason`. Of pyrefly: `ignore[kind]`, then the reason as a comment of its own."""
    bare = re.compile(r"[#] (noqa(?!: [A-Z]+\d+(, [A-Z]+\d+)* - \w)|pyrefly: ignore(?!\[[a-z, -]+\]  # \w))")
    folders = ("portal", "tests", "bench", "tools", "alembic")
    lines = ((path, line) for path in _modules(*folders) for line in path.read_text().splitlines())
    assert not [f"{path.relative_to(ROOT)}: {line.strip()}" for path, line in lines if bare.search(line)]


def test_only_the_confined_processes_use_parsers_of_files() -> None:
    parsers = re.compile(r"^ *(?:import|from) (?:PIL|pi_heif|pikepdf)\b", re.MULTILINE)
    found = {str(path.relative_to(ROOT / "portal")) for path in _modules("portal") if parsers.search(path.read_text())}
    assert found == {"backend/files/documents.py", "backend/files/images.py"}


def test_nothing_evaluates_code_in_the_browser() -> None:
    forbidden = ("rx.toast", "rx.call_script", "rx.run_script", "rx.set_focus", "rx.call_function")
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in _modules("portal")
        for name in forbidden
        if name + "(" in path.read_text() or f"{name}." in path.read_text()
    ]
    assert not found
