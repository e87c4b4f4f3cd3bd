"""The description of the API stays the one that other software was written against (`openapi.txt`).

The file holds every operation and model, a line each and without texts, as they were before the routes were derived
from the contract. `python -m tests.complete.test_api_description` writes into it what is meant to change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from portal.contract.registry import Provider
from portal.provider.api import create_api
from portal.settings import Settings

GOLDEN = Path(__file__).with_name("openapi.txt")

_TEXTS = {"description", "summary", "title"}
_WRITE = "python -m tests.complete.test_api_description"


def _nobody() -> Provider:
    raise AssertionError("this app only describes itself")


def described() -> dict[str, Any]:
    """Every operation and model of the API as it is now, without its texts."""
    document = create_api(_nobody, Settings()).openapi()
    operations = {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    parts = {**operations, **document["components"]["schemas"], "session": document["components"]["securitySchemes"]}
    return {name: _without_texts(parts[name]) for name in sorted(parts)}


def _without_texts(part: Any) -> Any:
    if isinstance(part, list):
        named = part and all(isinstance(each, dict) and "in" in each for each in part)
        return (
            {each["name"]: _without_texts(each) for each in part} if named else [_without_texts(each) for each in part]
        )
    if isinstance(part, dict):
        texts = {name for name, value in part.items() if name in _TEXTS and isinstance(value, str)}
        return {name: _without_texts(value) for name, value in part.items() if name not in texts}
    return part


def differences(before: Any, after: Any, place: str = "") -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Where two descriptions differ, and how."""
    if before == after:
        return
    if not isinstance(before, dict) or not isinstance(after, dict) or _is_schema_of_another_kind(before, after):
        yield place, (before, after)
        return
    for name in sorted(before.keys() | after.keys()):
        yield from differences(before.get(name), after.get(name), f"{place} > {name}" if place else name)


def _is_schema_of_another_kind(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return ("anyOf" in before) != ("anyOf" in after)


def read() -> dict[str, Any]:
    """What is written in the file."""
    entries = (line.partition(": ") for line in GOLDEN.read_text().splitlines())
    return {name: json.loads(part) for name, _, part in entries}


def test_the_description_is_the_one_in_the_file() -> None:
    found = dict(differences(read(), described()))
    assert not found, f"other software sees these changes; if they are meant, run `{_WRITE}`: {found}"


if __name__ == "__main__":
    GOLDEN.write_text("".join(f"{name}: {json.dumps(part, sort_keys=True)}\n" for name, part in described().items()))
