"""JavaScript of our own: every module has its row in `docs/javascript.md`, and there is none elsewhere."""

import re

from portal.launch import ROOT

_BROWSER = ROOT / "portal/ui/browser"
_PEER = ROOT / "bench/peers/fastapi_react"
_PLACES = ("portal", "tests", "bench", "tools", "alembic", "assets", "docs", "script")
_ENDINGS = {".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx"}
_ROW = re.compile(r"^\| (?:`([\w-]+)\.js`|(total)) \| (\d+) \|(.*)\|(.*)\|$", re.MULTILINE)
_IMPORT = re.compile(r'(?:module|component)\(\s*"(\w+)"|"(?:\$/utils/portal/(\w+)|\./(\w+)\.js)"')


def _rows() -> dict[str, tuple[int, str, str]]:
    table = (ROOT / "docs/javascript.md").read_text(encoding="utf-8")
    rows = _ROW.findall(table)
    return {module or total: (int(lines), what.strip(), why.strip()) for module, total, lines, what, why in rows}


def _modules() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in _BROWSER.glob("*.js")}


def test_every_module_stands_in_the_table_with_its_lines() -> None:
    counted = {name: len(text.splitlines()) for name, text in _modules().items()}
    assert {name: lines for name, (lines, _, _) in _rows().items()} == {**counted, "total": sum(counted.values())}


def test_every_module_has_a_purpose_and_a_reason() -> None:
    assert not [name for name, (_, what, why) in _rows().items() if name != "total" and not (what and why)]


def test_there_is_no_other_javascript() -> None:
    everything = [*ROOT.glob("*.*"), *(path for place in _PLACES for path in (ROOT / place).rglob("*"))]
    found = {path for path in everything if path.suffix in _ENDINGS and path.parent != _BROWSER}
    # A peer is what others would write.
    assert not {path for path in found if _PEER not in path.parents}


def test_every_module_is_used() -> None:
    modules = _modules()
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "portal").rglob("*.py")]
    used = {name for text in (*sources, *modules.values()) for found in _IMPORT.findall(text) for name in found}
    assert set(modules) - used <= {"elements"}  # in the place of a package (portal/reflex_adapter/patches.py)
