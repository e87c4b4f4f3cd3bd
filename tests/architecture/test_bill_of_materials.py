"""The bill of materials names everything in a release, and is what the database of vulnerabilities is asked about."""

from __future__ import annotations

import json
import re

import httpx
import pytest

from portal.launch import ROOT
from tools import known_vulnerabilities
from tools.bill_of_materials import bill
from tools.known_vulnerabilities import known

PACKAGES = {component["purl"]: component for component in bill("1.0.0")["components"]}


def test_every_pinned_requirement_is_in_the_bill_with_its_license() -> None:
    pinned = re.findall(r"^([\w.-]+)(?:\[\w+\])?==(.+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    named = {f"pkg:pypi/{name.lower().replace('_', '-')}@{version}" for name, version in pinned}
    assert named <= PACKAGES.keys()
    assert [purl for purl, each in PACKAGES.items() if purl.startswith("pkg:pypi/") and not each["licenses"]] == []


def test_every_package_of_the_browser_is_in_the_bill() -> None:
    package = json.loads((ROOT / "reflex.lock/package.json").read_text())
    for name, version in {**package["dependencies"], **package["devDependencies"]}.items():
        assert f"pkg:npm/{name.replace('@', '%40')}@{version.removeprefix('v')}" in PACKAGES


def _answering(request: httpx.Request) -> httpx.Response:
    asked = [query["package"]["purl"] for query in json.loads(request.content)["queries"]]
    return httpx.Response(
        200, json={"results": [{"vulns": [{"id": "V-1"}]} if "/av@" in each else {} for each in asked]}
    )


def test_packages_with_known_vulnerabilities_are_named() -> None:
    (line,) = known(httpx.Client(transport=httpx.MockTransport(_answering)))
    assert re.fullmatch(r"pkg:pypi/av@[\d.]+: V-1", line)


def test_a_database_that_cannot_be_reached_fails_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(known_vulnerabilities, "DATABASE", "http://127.0.0.1:9")
    assert known_vulnerabilities.main() == 0
    assert capsys.readouterr().out.startswith("NOT CHECKED")
