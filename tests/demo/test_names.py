"""Names of the shop and of its carriers are settings: no code, text or data names them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import portal
from portal.demo.build import build_customer
from portal.demo.partners import partners
from portal.demo.plans import Days
from portal.demo.shop import CUSTOMERS
from portal.kernel.texts import DIRECTORY
from portal.settings import Brand, Carriers, Settings

ROOT = Path(portal.__file__).parent
NAMES = {Brand().name, Carriers().parcel_service, Carriers().own}
DATA = {".html", ".txt", ".typ", ".csv", ".md", ".js", ".json"}


def literals(path: Path) -> Iterator[str]:
    """The texts in a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def test_names_stand_in_the_settings_only() -> None:
    found = [
        (path.name, text)
        for path in ROOT.rglob("*.py")
        if path.name != "settings.py"
        for text in literals(path)
        if any(name in text for name in NAMES)
    ]
    assert not found
    sources = [path for path in ROOT.rglob("*") if path.suffix in DATA and "node_modules" not in path.parts]
    assert len(sources) > 50
    for path in (*sources, *DIRECTORY.rglob("*.po")):
        text = path.read_text(encoding="utf-8")
        assert not [name for name in NAMES if name in text], path


def test_the_demonstration_has_the_names_of_the_settings() -> None:
    carriers = Carriers(own="Wielhuis vervoer", parcel_service="Pakketje", tracking_url="https://volg.example/{code}")
    settings = Settings(brand=Brand(name="Wielhuis"), carriers=carriers)
    days = Days(date(2026, 5, 1), settings)
    shipments = [
        parcel for plan in CUSTOMERS for order in build_customer(plan, days).orders for parcel in order.shipments
    ]
    assert {parcel.carrier for parcel in shipments} == {"Wielhuis vervoer", "Pakketje", "Wielhuis Amsterdam"}
    tracked = {parcel.tracking_url for parcel in shipments if parcel.tracking_url}
    assert all(url.startswith("https://volg.example/KP") for url in tracked)
    assert "Wielhuis Utrecht" in {row.name for row in partners(days).values()}
