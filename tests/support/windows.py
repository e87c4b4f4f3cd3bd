"""In which windows a journey is made: the language of the browser and the width of the screen."""

from __future__ import annotations

CROSSWISE = ("nl-375", "en-1280")
"""Both languages and both screens, each once. That a button does the same in Dutch on a wide screen is no other fact.
Where a text may be too long for a screen, the window is resized (`assert_fits_everywhere`)."""


def split(window: str) -> tuple[str, int]:
    """Language and width of a window such as `nl-375`."""
    language, width = window.split("-")
    return language, int(width)
