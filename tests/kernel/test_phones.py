"""Phone numbers as people read them."""

from __future__ import annotations

import pytest

from portal.kernel.address import readable_phone


@pytest.mark.parametrize(
    ("number", "shown"), [("+31612345678", "+31 6 12345678"), ("+3292345678", "+32 9 234 56 78"), ("", ""), ("x", "x")]
)
def test_phone_numbers_are_written_for_reading(number: str, shown: str) -> None:
    assert readable_phone(number) == shown
