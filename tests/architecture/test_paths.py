"""Paths that documents name in code letters exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`|`([\w-]+\.(?:py|toml|css|txt|po|lock|svg|md))`")
ABSENT = {
    ".web/build/draw.js",
    "var/peers",
    "files/",
    "files/incoming",
    "var/mail/",
    "bun.lock",
    "reflex_base/constants/installer.py",
}
"""Made when the portal runs, or inside a package."""


def _named(path: Path) -> set[str]:
    """What a document names: whatever looks like a path of this repository. Placeholders are left out."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {first or second for first, second in PATH.findall(text)}


def _exists(name: str) -> bool:
    bases = (ROOT, ROOT / "portal", ROOT / "tests", ROOT / "docs")
    named = "/" not in name and name.endswith((".py", ".po", ".md"))
    folders = ("docs", "locale", "portal", "tests")
    return any((base / name).exists() for base in bases) or (
        named and any(any((ROOT / folder).rglob(name)) for folder in folders)
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_that_a_document_names_is_there(path: Path) -> None:
    missing = {name for name in _named(path) - ABSENT if "//" not in name and not _exists(name)}
    assert sorted(missing) == []
