"""Names of the shop and of its carriers are settings: no code, text or data names them."""

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
from portal.setting_groups import Brand, Carriers
from portal.settings import Settings

ROOT = Path(portal.__file__).parent
NAMES = {Brand().name, Carriers().own}
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
        if path.name not in {"setting_groups.py", "settings.py"}
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
    settings = Settings(brand=Brand(name="Wielhuis"), carriers=Carriers(own="Wielhuis vervoer"))
    days = Days(date(2026, 5, 1), settings)
    shipments = [
        parcel for plan in CUSTOMERS for order in build_customer(plan, days).orders for parcel in order.shipments
    ]
    assert {parcel.carrier for parcel in shipments} == {"Wielhuis vervoer", "Kwiekpost", "Wielhuis Amsterdam"}
    assert "Wielhuis Utrecht" in {row.name for row in partners(days).values()}
