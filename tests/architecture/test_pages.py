"""Every page can be built: a name that its state does not have is found here, not when all pages are compiled."""

from __future__ import annotations

import pytest

from portal.frontend.registry import PageRoute, pages_of
from portal.subjects import MODULES

PAGES = pages_of(MODULES)


@pytest.mark.parametrize("page", PAGES, ids=[page.route or "index" for page in PAGES])
def test_a_page_can_be_built(page: PageRoute) -> None:
    assert str(page.body()) != ""
