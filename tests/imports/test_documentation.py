"""The guide for shops: its examples are accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from portal.imports.records import RECORDS

GUIDE = (Path(__file__).parents[2] / "docs" / "connect.md").read_text("utf-8")


@pytest.mark.parametrize("kind", RECORDS)
def test_the_example_of_each_kind_is_a_record(kind: str) -> None:
    found = re.search(rf"^### {kind}\n(?:(?!^#).)*?^```json\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE)
    assert found, f"no example of {kind}"
    assert RECORDS[kind].model_validate(json.loads(found[1]))
