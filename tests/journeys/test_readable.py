"""The check with axe looks at one text of each look, and misses none that cannot be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.browser import assert_accessible

_PAGE = """<!doctype html><html lang="en"><title>Page</title>
<body style="background: white; color: black"><main><h1>Page</h1><p>Clear</p><p>As clear</p>{}</main></body></html>"""


@pytest.mark.parametrize(
    "unclear",
    [
        '<p style="color: #ccc">Unclear</p>',
        '<div style="background: #333"><p>Unclear</p></div>',
        '<div style="background: #333"><div><p>Unclear</p></div></div>',
        '<p><span style="opacity: 0.2">Unclear</span></p>',
        '<p hidden style="color: #ccc">Nowhere</p><p style="color: #ccc">Unclear</p>',
        '<div style="position: relative"><div style="background: #333; height: 4em"></div>'
        '<p style="position: absolute; top: 0">Unclear</p></div>',
        '<button disabled style="color: #ccc; background: white">Off</button>'
        '<button style="color: #ccc; background: white">Unclear</button>',
    ],
)
def test_a_text_that_cannot_be_read_is_found_among_others(browser: Browser, unclear: str) -> None:
    page = browser.new_page()
    page.set_content(_PAGE.format(""))
    assert_accessible(page)
    page.set_content(_PAGE.format(unclear))
    with pytest.raises(AssertionError, match="color-contrast"):
        assert_accessible(page)
    page.close()
