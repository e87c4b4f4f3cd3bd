"""In which windows a journey is made: the language of the browser and the width of the screen."""

from __future__ import annotations

import pytest

CROSSWISE = ("nl-375", "en-1280")
"""Both languages and both screens, each once. That a button does the same in Dutch on a wide screen is no other fact.
Where a text may be too long for a screen, the window is resized (`assert_fits_everywhere`)."""

ON_A_PHONE, ON_A_WIDE_SCREEN = (
    pytest.mark.parametrize("visitor_crosswise", [window], indirect=True) for window in CROSSWISE
)
"""One of the two windows, for a long journey whose subject is seen in the other one by another journey."""

TOURED = {"service-request": "en-1280", "return-accessories-request": "en-1280"}
"""Tours in English on a wide screen. Every other flow is toured in Dutch on a small one, where its lines are the
longest; most questions of these two stand in another flow as well."""


def split(window: str) -> tuple[str, int]:
    """Language and width of a window such as `nl-375`."""
    language, width = window.split("-")
    return language, int(width)
