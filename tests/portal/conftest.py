"""The shop and the browser of this folder under short names."""

from __future__ import annotations

import pytest

from tests.support.http_browser import Browser
from tests.support.ways import Shop


@pytest.fixture(scope="module")
def shop(connected_shop: Shop) -> Shop:
    """The demonstration shop, connected to the portal."""
    return connected_shop


@pytest.fixture
def browser(http_browser: Browser) -> Browser:
    """A browser with an empty cookie jar."""
    return http_browser
