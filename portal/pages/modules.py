"""The modules that hold pages. A new page is a module with `PAGES` and a line here."""

from __future__ import annotations

MODULES: tuple[str, ...] = ("portal.pages.start",)
