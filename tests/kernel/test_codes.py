"""The catalogue of refusals: every code has a text in both languages and a test that provokes it."""

import re

import pytest

from portal.i18n.catalogues import read
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from portal.launch import ROOT

SPECIFIED: dict[str, tuple[str, ...]] = {
    "repair": (
        "missing_repair_order_line_id", "missing_repair_last_maintenance_date", "missing_repair_details",
        "missing_repair_uploaded_files", "missing_repair_hash", "missing_repair_files", "repair_request_invalid_hash",
        "repair_request_invalid_status", "repair_request_invalid_uploaded_files",
        "invalid_repair_last_maintenance_date", "expired_repair_request", "repair_request_line_not_repairable",
        "repair_request_line_not_found",
    ),
    "files": (
        "file_params_missing", "unresolved_files", "max_upload_size_reached", "max_upload_file_count_reached",
    ),
    "service": (
        "combination_order_line_frame_nr_not_valid", "service_request_not_valid", "open_work_order_exists",
        "postal_code_not_found", "no_delivery_options",
    ),
    "login": ("lease_order_not_allowed", "not_lease_order", "network_error"),
    "general": ("general_error",),
    "returns": (
        "order_not_shipped", "older_than_100_days", "return_request_exists", "return_request_already_exists",
        "multiple_entries", "nothing_found", "item_return_does_not_exist", "order_id_not_found", "missing_item",
        "invalid_order", "invalid_itme", "missing_email_address", "missing_id_param", "missing_pickup_address",
        "missing_pickup_date", "email_failed", "missing_hash", "invalid_hash",
    ),
}  # fmt: skip
"""Codes of part-1 §8 and part-2 §8. Those of the password reset are not here: nobody has one (decision 0004)."""

OF_FILES = {*SPECIFIED["files"], "missing_repair_uploaded_files", "repair_request_invalid_uploaded_files"}
"""They belong to the questions that ask for files."""

SAME_IN_BOTH: set[Code] = set()
"""Texts that are the same in both languages."""


@pytest.mark.parametrize("code", [code for codes in SPECIFIED.values() for code in codes])
def test_every_code_of_the_requirements_is_in_the_catalogue(code: str) -> None:
    asks_for_files = any("UPLOAD" in known.name for known in Code)
    assert code in set(Code) or (code in OF_FILES and not asks_for_files)


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_text_in_both_languages(code: Code) -> None:
    english = MESSAGES[code]
    dutch = catalogue("nl").gettext(english)
    assert english
    assert dutch != english or code in SAME_IN_BOTH, "not translated"


def test_the_exact_texts_of_the_requirements_are_in_the_catalogues() -> None:
    requirements = (ROOT / "docs/requirements.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### part-[12] §8 .*?(?=^### )", requirements, re.MULTILINE | re.DOTALL)
    quoted = {text for section in sections for text in re.findall(r"(?<!\w)'([^'\n]+)'(?!\w)", section)}
    assert len(quoted) > 20
    assert quoted <= {text for entry in read("nl") for text in (entry.id, entry.string)}
