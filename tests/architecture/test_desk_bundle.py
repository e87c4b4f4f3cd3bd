"""Customers' pages and staff pages are two builds that hold nothing of each other; staff pages have a budget."""

import json
import re
from pathlib import Path

from portal.i18n.catalogues import read, texts_of
from portal.reflex_adapter.build import Build

BUDGET = 190_000
"""Bytes of a first visit to a staff page: HTML, styles and scripts, without the font."""

_REFERENCES = re.compile(r'"(/assets/[^"]+\.(?:js|css))"')
_SHORTEST = 12


def _shipped(build: Build) -> str:
    files = [path for kind in ("*.js", "*.css", "*.html") for path in build.static_dir.rglob(kind)]
    assert len(files) > 5
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def _of_staff_pages(place: str) -> bool:
    return place.startswith("portal/desk") or "/desk" in place


def _staff_texts() -> list[str]:
    """Texts that only staff pages have, in both languages; long enough to be part of no other text by chance."""
    only: list[str] = []
    others: list[str] = []
    dutch = read("nl")
    for message in texts_of():
        if not message.id or not isinstance(message.id, str):
            continue
        entry = dutch.get(message.id)
        texts = [message.id, *([entry.string] if entry and isinstance(entry.string, str) else [])]
        of_staff = all(_of_staff_pages(place) for place, _ in message.locations)
        (only if of_staff else others).extend(texts)
    elsewhere = "\n".join(others)
    return [text for text in only if len(text) >= _SHORTEST and text not in elsewhere]


def test_the_staff_site_holds_no_state_of_customers(built_desk: Build) -> None:
    shipped = _shipped(built_desk)
    assert "portal___desk___session____staff_session" in shipped
    assert not re.findall(r"portal___frontend___session|portal___\w+?___pages___", shipped)


def test_every_staff_page_keeps_to_its_budget(built_desk: Build) -> None:
    over, pages = {}, list(built_desk.static_dir.rglob("index.html"))
    assert len(pages) >= 2
    for page in pages:
        files = {built_desk.static_dir / name.lstrip("/") for name in _REFERENCES.findall(page.read_text("utf-8"))}
        size = sum(_served(path) for path in (page, *files))
        if size > BUDGET:
            over[page.parent.name] = size
    assert not over


def test_customers_get_no_text_of_the_staff_site(built: Build) -> None:
    shipped, texts = _shipped(built), _staff_texts()
    assert len(texts) > 30
    assert not [text for text in texts if json.dumps(text, ensure_ascii=False)[1:-1] in shipped]


def test_customers_get_no_state_style_or_module_of_the_staff_site(built: Build) -> None:
    shipped = _shipped(built)
    assert not re.findall(r"portal___desk|portal___staff|___desk____|\.desk-\w+|StaffSession|staff_session", shipped)
    assert not list((built.web_dir / "utils/portal").glob("desk*.js"))


def test_the_two_builds_need_the_same_packages(built: Build, built_desk: Build) -> None:
    """They share one lock file; with other packages, each build would make the other one out of date."""
    first, second = (json.loads((build.web_dir / "package.json").read_text("utf-8")) for build in (built, built_desk))
    assert first["dependencies"] == second["dependencies"]
    assert first["devDependencies"] == second["devDependencies"]


def _served(path: Path) -> int:
    compressed = path.with_name(path.name + ".br")
    return (compressed if compressed.exists() else path).stat().st_size
