"""The addresses of the pages that explain a problem."""

from __future__ import annotations

from portal.i18n import _
from portal.pages.layout import title
from portal.pages.problems import gone, not_found
from portal.pages.registry import Page

PAGES = [
    Page("404", not_found, title(_("Page not found")), protected=False),
    Page("gone", gone, title(_("This page is no longer accessible.")), protected=False),
]
