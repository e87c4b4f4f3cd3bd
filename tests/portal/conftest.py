"""The browser of this folder under a short name."""

from __future__ import annotations

import pytest

from tests.support.http_browser import Browser


@pytest.fixture
def browser(http_browser: Browser) -> Browser:
    """A browser with an empty cookie jar."""
    return http_browser
