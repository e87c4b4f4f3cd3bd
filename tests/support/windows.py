"""In which windows a journey is made: the language of the browser and the width of the screen."""

from __future__ import annotations

EVERYWHERE = ("nl-1280", "nl-375", "en-1280", "en-375")
"""Both languages on both screens: how a page looks, which is another thing in each."""
CROSSWISE = ("nl-375", "en-1280")
"""Both languages and both screens, each once: what happens. That a button does the same in Dutch on a wide screen is
no other fact; the looks of these pages are seen everywhere, and journeys of one window are Dutch on a wide screen."""


def split(window: str) -> tuple[str, int]:
    """Language and width of a window such as `nl-375`."""
    language, width = window.split("-")
    return language, int(width)
