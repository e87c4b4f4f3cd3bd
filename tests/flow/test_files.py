"""The rule for files: number, kinds, at least one photo, and existing files only."""

from typing import Any

import pytest

from portal.flow import OPTIONAL_FIELDS, AnswerContext, Control, Field, Files
from portal.flow.journey import FLOWS
from portal.flow.pages.views import file_views
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.vocabulary.files import PHOTOS, FileKind
from tests.flow.parts import DAY, FACTS

KINDS = frozenset(FileKind)
TWO = ["PHOTO", "FILM"]


def ask(rule: Files, given: list[str], facts: dict[str, Any] = FACTS) -> Any:
    """The answer as it is kept, or the code."""
    field = Field("photos", "Photos", rule, control=Control.FILES)
    try:
        return field.read(given, AnswerContext({}, facts, DAY))
    except InvalidValue as refusal:
        return refusal.code


@pytest.mark.parametrize(
    ("rule", "given", "outcome"),
    [
        (Files(1, 5, KINDS), [], Code.REQUIRED),
        (Files(1, 5, KINDS), ["FILM", "PHOTO", "FILM"], TWO),
        (Files(1, 5, KINDS), ["GONE"], Code.UNRESOLVED_FILES),
        (Files(1, 5, KINDS), ["PHOTO", "OTHER"], Code.UNRESOLVED_FILES),
        (Files(1, 1, KINDS), TWO, Code.MAX_UPLOAD_FILE_COUNT_REACHED),
        (Files(3, 5, KINDS), TWO, Code.TOO_FEW_FILES),
        (Files(1, 5, PHOTOS), TWO, Code.UNRESOLVED_FILES),
        (Files(1, 5, KINDS, photo=True), ["FILM"], Code.PHOTO_REQUIRED),
        (Files(1, 5, KINDS, photo=True), TWO, TWO),
    ],
)
def test_files_are_read(rule: Files, given: list[str], outcome: Any) -> None:
    assert ask(rule, given) == outcome
    if isinstance(outcome, Code) and outcome is not Code.REQUIRED:
        assert outcome in rule.codes


def test_files_are_optional_if_the_settings_say_so() -> None:
    assert ask(Files(1, 5, KINDS), [], {**FACTS, OPTIONAL_FIELDS: ["photos"]}) == []
    assert ask(Files(1, 5, KINDS), ["GONE"], {**FACTS, OPTIONAL_FIELDS: ["photos"]}) is Code.UNRESOLVED_FILES


@pytest.mark.parametrize(
    ("flow", "name", "fewest", "most"),
    [("repair-request", "photos", 1, 5), ("claim-request", "photos", 1, 10), ("claim-request", "copies", 0, 10)],
)
def test_a_flow_limits_the_number_of_files(flow: str, name: str, fewest: int, most: int) -> None:
    rule = next(field.rule for field in FLOWS[flow].fields if field.name == name)
    assert isinstance(rule, Files)
    photo = {"field": name, "name": "a.jpg", "size": 1, "kind": "JPG", "photo": True}
    facts = {"files": [{**photo, "id": f"PHOTO{number}"} for number in range(most + 1)]}
    ids = [entry["id"] for entry in facts["files"]]
    answers = AnswerContext({}, facts, DAY)
    for count in range(max(fewest, 1), most + 1):
        assert rule(ids[:count], answers) == ids[:count]
    with pytest.raises(InvalidValue) as refused:
        rule(ids, answers)
    assert refused.value.code is Code.MAX_UPLOAD_FILE_COUNT_REACHED
    optional = next(field.optional for field in FLOWS[flow].fields if field.name == name)
    assert optional == (fewest == 0)


@pytest.mark.parametrize(
    ("size", "amount", "unit"),
    [(1, "1", "kB"), (4_700, "5", "kB"), (104_400, "104", "kB"), (1_000_000, "1.0", "MB"), (7_260_000, "7.3", "MB")],
)
def test_a_file_size_is_readable(size: int, amount: str, unit: str) -> None:
    entry = {"id": "A", "field": "photos", "name": "a.jpg", "size": size, "kind": "JPG", "photo": True}
    (view,) = file_views(FLOWS["repair-request"], {"files": [entry]})["photos"]
    assert (view.amount, view.unit) == (amount, unit)
