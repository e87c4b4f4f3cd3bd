"""docs/events.md says what events are."""

from __future__ import annotations

import json
import re
from pathlib import Path

from portal.exports.rules import DETAILS, schema
from portal.vocabulary.exchange import EVENT_TYPES

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "events.md").read_text(encoding="utf-8")


def test_the_documented_schema_is_that_of_the_events() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert json.loads(block) == schema()


def test_every_type_and_every_detail_is_documented() -> None:
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", TEXT, re.MULTILINE))
    assert rows == {**EVENT_TYPES, **DETAILS}
