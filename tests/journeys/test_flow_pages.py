"""A flow from end to end with the keyboard alone (flow-standard F21, F46; edge-cases 72)."""

from __future__ import annotations

import pytest

from tests.support.flows import CASES
from tests.support.keyboard import by_keyboard
from tests.support.walks import Walking


# A service asks nothing that these two do not ask in the same way.
@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_a_flow_is_done_with_the_keyboard_alone(walk: Walking) -> None:
    by_keyboard(walk())
