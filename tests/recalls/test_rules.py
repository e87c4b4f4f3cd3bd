"""What the shop writes for a recall is checked before anybody is warned."""

from pathlib import Path
from typing import Any

import pytest

from portal.recalls.rules import RecallContent, WrongRecall, comparable, read_content, read_numbers
from portal.vocabulary.services import RecalledKind
from tests.recalls.recalling import CONTENT, VALUES

TOML = """
code = "2026-ACCU-01"
remedies = ["repair", "refund"]

[nl]
product = "Accu Voltera P4"
description = "Accu's uit 2025 met een nummer dat begint met PT."
hazard = "{hazard}"
action = "Gebruik en laad de accu niet meer."

[en]
product = "Battery Voltera P4"
description = "Batteries of 2025 with a number that begins with PT."
hazard = "The battery can catch fire."
action = "Stop using and charging the battery."
"""


def written(folder: Path, text: str, name: str = "recall.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_text_of_a_recall_is_read(tmp_path: Path) -> None:
    content = read_content(written(tmp_path, TOML.format(hazard="De accu kan in brand vliegen.")))
    assert (content.code, content.nl.hazard) == ("2026-ACCU-01", "De accu kan in brand vliegen.")


@pytest.mark.parametrize(
    "hazard",
    [
        "Uit voorzorg roepen we de accu terug.",
        "Een vrijwillige actie: de accu wordt heet.",
        "De accu kan in zeldzame gevallen in brand vliegen.",
    ],
)
def test_words_that_play_down_the_danger_are_refused(tmp_path: Path, hazard: str) -> None:
    with pytest.raises(WrongRecall, match=r"recall\.toml: nl\.hazard: .* makes the danger look smaller"):
        read_content(written(tmp_path, TOML.format(hazard=hazard)))


@pytest.mark.parametrize(
    "change",
    [
        {"remedies": ["repair"]},
        {"remedies": ["repair", "repair"]},
        {"remedies": ["repair", "unknown"]},
        {"code": "x"},
        {"phone": "12"},
        {"email": "nobody"},
        {"en": None},
        {"nl": {**VALUES["nl"], "action": ""}},
    ],
)
def test_a_recall_without_what_the_law_asks_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        RecallContent.model_validate({**CONTENT.model_dump(), **change})


def test_the_numbers_of_a_list_are_compared_without_blanks_and_dashes(tmp_path: Path) -> None:
    lines = "kind,number\nbattery,PT-123 456\nbattery,pt123456\nFrame, NV.1 \n"
    assert read_numbers(written(tmp_path, "\ufeff" + lines, "numbers.csv")) == {
        RecalledKind.BATTERY: {"PT123456"},
        RecalledKind.FRAME: {"NV1"},
    }
    assert comparable("pt-12 3–4") == "PT1234"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("", "columns kind and number"),
        ("number\n1\n", "columns kind and number"),
        ("kind,number\n", "no numbers"),
        ("kind,number\nbell,1\n", "line 2: the kind is frame or battery"),
        ("kind,number\nframe,1\nframe,\n", "line 3: not a number"),
        ("kind,number\nframe,<b>1</b>\n", "line 2: not a number"),
        ("kind,number\nframe," + "1" * 41 + "\n", "line 2: not a number"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_with_its_line(tmp_path: Path, lines: str, reason: str) -> None:
    with pytest.raises(WrongRecall, match=rf"numbers\.csv: .*{reason}"):
        read_numbers(written(tmp_path, lines, "numbers.csv"))
