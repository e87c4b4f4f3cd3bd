"""What customers download: nothing that we do not want, and not more than the budgets (measurements M1-M4)."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from portal.reflex_adapter.build import Build
from portal.settings import settings
from portal.shown_settings import filled
from tests.support.built import FURTHER, budget_of

_REFERENCES = re.compile(r'"(/assets/[^"]+\.(?:js|css))"')
_FORBIDDEN_PACKAGES = {"@radix-ui/themes", "sonner", "lucide-react/dynamic"}


def _files_of(page: Path, static_dir: Path) -> set[Path]:
    return {static_dir / name.lstrip("/") for name in _REFERENCES.findall(page.read_text())}


def _served_bytes(path: Path) -> int:
    compressed = path.with_name(path.name + ".br")
    return (compressed if compressed.exists() else path).stat().st_size


def test_nothing_that_we_do_not_want_is_shipped(built: Build) -> None:
    packages = json.loads((built.web_dir / "package.json").read_text())
    assert not _FORBIDDEN_PACKAGES & {*packages["dependencies"], *packages.get("devDependencies", {})}
    styles = "".join(path.read_text() for path in built.static_dir.rglob("*.css"))
    assert ".rt-" not in styles
    assert "radix-themes" not in styles
    assert "--color-paper:" in styles, "the tokens of the theme"


def test_the_build_knows_no_settings(built: Build, built_desk: Build) -> None:
    files = [
        path
        for build in (built, built_desk)
        for kind in ("js", "html")
        for path in build.web_dir.glob(f"build/**/*.{kind}")
    ]
    values = [*settings().brand.model_dump().values(), settings().brand.dialled, str(settings().lease_portal_url)]
    for path in files:
        text = path.read_text()
        assert not [value for value in values if value in text], path


def test_a_served_page_has_all_of_its_settings(built: Build, built_desk: Build) -> None:
    for page in [path for build in (built, built_desk) for path in build.static_dir.rglob("*.html")]:
        assert "⟦" in (text := page.read_text())
        assert "⟦" not in filled(text)


def test_every_attribute_reaches_the_page(built: Build, built_desk: Build) -> None:
    """What an element of the framework does not know becomes its style, which pages without `emotion` do not show."""
    scripts = [path for build in (built, built_desk) for path in build.static_dir.rglob("*.js")]
    assert not [path.name for path in scripts if re.search(r"\bcss:\{", path.read_text())]


def test_every_page_keeps_to_its_budget(built: Build, pages_of_build: dict[str, Path]) -> None:
    counted = {file.name for file in _files_of(pages_of_build["/"], built.static_dir)}
    assert any(name.startswith("entry.client") for name in counted)
    assert any(name.endswith(".css") for name in counted)
    over = {}
    for path, page in pages_of_build.items():
        document = gzip.compress(filled(page.read_text()).encode(), 9)
        size = len(document) + sum(_served_bytes(file) for file in _files_of(page, built.static_dir))
        if size > budget_of(path):
            over[path] = size
    assert not over


def test_a_page_after_the_first_is_small(built: Build, pages_of_build: dict[str, Path]) -> None:
    start = _files_of(pages_of_build["/"], built.static_dir)
    over = {}
    for path, page in pages_of_build.items():
        size = sum(_served_bytes(file) for file in _files_of(page, built.static_dir) - start)
        if size > FURTHER:
            over[path] = size
    assert not over


@pytest.mark.parametrize("suffix", [".br", ".gz"])
def test_every_script_style_and_page_is_compressed(built: Build, suffix: str) -> None:
    files = [path for kind in ("*.js", "*.css", "*.html") for path in built.static_dir.rglob(kind)]
    large = [path for path in files if path.stat().st_size >= 256]
    assert not [path for path in large if not path.with_name(path.name + suffix).exists()]
