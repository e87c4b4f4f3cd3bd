"""The page that needs no compiled pages: a policy that allows its style and nothing else."""

from __future__ import annotations

import base64
import hashlib
import re

from portal.web.notices import not_saved


def test_the_policy_allows_the_style_of_the_page_and_nothing_else() -> None:
    answer = not_saved(503, "/repair?<b>", "nl")
    text = bytes(answer.body).decode()
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = answer.headers["content-security-policy"]
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    assert '<html lang="nl">' in text
    assert "<b>" not in text
