"""Every alert has a runbook, and alerts and dashboard ask only for figures that the portal serves."""

import json
import re
from collections.abc import Iterator

import pytest
import yaml

from portal import metrics
from portal.launch import ROOT

_FIGURE = re.compile(r"\bportal_\w+")
_SERVED = {f"portal_{name}" for name in metrics.FIGURES} | {
    f"{family.name}{suffix}"
    for counted in (metrics.LINES, metrics.EVENTS, metrics.CALLS)
    for family in counted.describe()
    for suffix in ("_total", "_bucket", "_sum", "_count")
}

RULES = yaml.safe_load((ROOT / "ops/alerts.yml").read_text())["groups"][0]["rules"]
PANELS = json.loads((ROOT / "ops/grafana.json").read_text())["panels"]


def _expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in RULES)
    yield from (target["expr"] for panel in PANELS for target in panel["targets"])


@pytest.mark.parametrize("expression", sorted(set(_expressions())))
def test_only_served_figures_are_asked_for(expression: str) -> None:
    assert set(_FIGURE.findall(expression)) <= _SERVED


def test_every_alert_has_its_section_in_the_runbook() -> None:
    sections = re.findall(r"^## (\w+)$", (ROOT / "docs/runbook.md").read_text(), re.MULTILINE)
    assert sections == [rule["alert"] for rule in RULES]
    assert [rule["annotations"]["runbook"] for rule in RULES] == [
        f"docs/runbook.md#{name.lower()}" for name in sections
    ]


def test_events_of_the_log_that_alerts_count_are_logged_somewhere() -> None:
    asked = {
        name for text in _expressions() for names in re.findall(r'event=~?"([^"]+)"', text) for name in names.split("|")
    }
    code = "".join(path.read_text() for path in (ROOT / "portal").rglob("*.py"))
    assert [name for name in sorted(asked) if f'"{name}"' not in code] == []
