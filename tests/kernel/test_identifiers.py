"""How references and account numbers are read."""

from __future__ import annotations

import pytest

from portal.kernel.validation import in_fours, in_groups


@pytest.mark.parametrize(("reference", "read"), [("26NWDY8K", "26NW DY8K"), ("S48621851", "S48621851"), ("", "")])
def test_a_reference_is_read_in_two_groups_and_a_retailers_own_as_it_is(reference: str, read: str) -> None:
    assert in_groups(reference) == read


def test_an_account_is_read_in_groups_of_four() -> None:
    assert in_fours("NL91ABNA0417164300") == "NL91 ABNA 0417 1643 00"
