"""Names of classes, functions, modules and folders are words that every Python developer knows.

The glossary (`docs/glossary.md`, Names that have gone) has the list. `ReturnHouse`, `return_house` and `houses` all use
the word `house`; a name with a capital in the list is a whole one. Names of tests are sentences: they may use any word.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("portal", "tests", "bench", "tools")

# Names that were meant, whatever their words are called, with the reason.
ALLOWED = {
    # the house number of an address is part of the requirements
    "house_number", "house_number_addon", "HouseNumber", "InvalidHouseNumber", "INVALID_HOUSE_NUMBER",
}  # fmt: skip


@cache
def _instead() -> dict[str, str]:
    """What to write instead of a word, from the table of the glossary."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    table = text.partition("## Names that have gone")[2]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)
    return {word.strip(): better.strip() for words, better in rows for word in words.split(",") if words != "not"}


def _words(name: str) -> list[str]:
    """`ReturnHouse_at_home` as return, house, at, home."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return [word for word in spaced.lower().split("_") if word]


def private_words(name: str) -> list[str]:
    """Words of a name that were this portal's alone: whole names with a capital, words in small letters."""
    if name in ALLOWED:
        return []
    words = _words(name)
    return [
        word
        for word in _instead()
        if (word[0].isupper() and word == name) or (word[0].islower() and (word in words or word + "s" in words))
    ]


def _python_files() -> list[Path]:
    return [
        path
        for place in PLACES
        for path in sorted((ROOT / place).rglob("*.py"))
        if "__pycache__" not in path.parts
        and path != Path(__file__).resolve()
        # Apps of their own, in the words of their frameworks.
        and not path.is_relative_to(ROOT / "bench" / "peers")
    ]


def _names(path: Path) -> Iterator[tuple[str, str]]:
    """What is named in a module: classes, functions of the product and the module itself, with where."""
    yield path.stem, "module"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield node.name, f"class, line {node.lineno}"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and path.is_relative_to(ROOT / "portal"):
            yield node.name, f"function, line {node.lineno}"


def _folders() -> list[Path]:
    return sorted({parent for path in _python_files() for parent in path.parents if ROOT in parent.parents})


def test_no_module_class_or_function_has_a_name_that_was_ours_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name} ({kind}): write {_instead()[word]}"
        for path in _python_files()
        for name, kind in _names(path)
        for word in private_words(name)
    ]
    assert found == []


def test_no_folder_has_a_name_that_was_ours_alone() -> None:
    found = [f"{path.relative_to(ROOT)}: {word}" for path in _folders() for word in private_words(path.name)]
    assert found == []
