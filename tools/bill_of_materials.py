"""Write the software bill of materials of a release (CycloneDX 1.6), from the installed requirements and `bun.lock`.

    python -m tools.bill_of_materials 1.0.0 > bill-of-materials.json

The packages of Python run; those of npm are in the pages, or made them. The same inputs always make the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
_ENTRY = re.compile(r'^    "[^"]+": \["((?:@[^/"]+/)?[^@"]+)@([^"]+)"', re.MULTILINE)
_LICENSE = re.compile(r"^License :: (?:OSI Approved :: )?")


def installed() -> Iterator[Distribution]:
    """The requirements and everything that these require here, by name."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    waiting = [Requirement(line) for line in lines if line and not line.startswith("#")]
    found: dict[tuple[str, str], Distribution] = {}
    while waiting:
        wanted = waiting.pop()
        for extra in ("", *wanted.extras):
            key = (canonicalize_name(wanted.name), extra)
            if key not in found:
                found[key] = distribution(wanted.name)
                further = map(Requirement, found[key].requires or ())
                waiting += [each for each in further if each.marker is None or each.marker.evaluate({"extra": extra})]
    yield from ({name: each for (name, _), each in sorted(found.items())}).values()


def of_python(package: Distribution) -> dict[str, Any]:
    about, name = package.metadata, canonicalize_name(package.name)
    named = [about[field] for field in ("License-Expression", "License") if field in about][:1]
    classified = [_LICENSE.sub("", each) for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    # Some packages have the whole text of their license in the field for its name.
    licenses = [each for each in (*named, *classified) if len(each) < 100]
    return _component(name, package.version, f"pkg:pypi/{name}@{package.version}", licenses)


def of_npm(name: str, version: str) -> dict[str, Any]:
    return _component(name, version, f"pkg:npm/{name.replace('@', '%40')}@{version}", [])


def _component(name: str, version: str, purl: str, licenses: list[str]) -> dict[str, Any]:
    named = {"licenses": [{"license": {"name": each}} for each in dict.fromkeys(licenses)]} if licenses else {}
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, **named}


def bill(version: str) -> dict[str, Any]:
    lock = (ROOT / "reflex.lock" / "bun.lock").read_text("utf-8")
    browser = sorted(set(_ENTRY.findall(lock)))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "portal", "version": version}},
        "components": [*map(of_python, installed()), *(of_npm(*package) for package in browser)],
    }


if __name__ == "__main__":
    print(json.dumps(bill(sys.argv[1]), indent=1))
