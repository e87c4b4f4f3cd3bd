"""The small pages that need no compiled pages: one frame, and a policy that allows its style and nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import portal
from portal.web.notices import not_saved
from portal.web.small_page import small_page

PACKAGE = Path(portal.__file__).parent


def test_the_policy_allows_the_style_of_the_page_and_nothing_else() -> None:
    for answer in (small_page("Wait", "<p>soon</p>", 503, "en", reload_after=2), not_saved(503, "/repair", "nl")):
        (style,) = re.findall(r"<style>(.*?)</style>", bytes(answer.body).decode(), re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = answer.headers["content-security-policy"]
        assert f"style-src 'sha256-{digest}'" in policy
        assert "default-src 'none'" in policy
        assert answer.headers["cache-control"] == "no-store"


def test_a_title_is_never_html_and_only_a_waiting_page_loads_itself_again() -> None:
    text = bytes(small_page("<b>", "<p>soon</p>", 503, "nl", {"retry-after": "2"}, reload_after=2).body).decode()
    assert "<b>" not in text
    assert text.count("&lt;b&gt;") == 2
    assert '<html lang="nl">' in text
    assert '<meta http-equiv="refresh" content="2">' in text
    assert 'role="status"' in text
    assert "refresh" not in bytes(small_page("Title", "", 403, "en").body).decode()


def test_the_frame_of_small_pages_stands_in_one_place() -> None:
    """The mailbox of the demonstration and the page of the development server are pages of their own kind."""
    found = {path.name for path in PACKAGE.rglob("*.py") if "<!doctype html>" in path.read_text(encoding="utf-8")}
    assert found == {"small_page.py", "mailbox.py", "development.py"}
