"""What a browser may do with our pages: the Content-Security-Policy."""

from __future__ import annotations

import base64
import hashlib
import re

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_COMMON = {
    "default-src": "'self'",
    # Styles come from our sheet; only attributes, as the width of a bar, are inline.
    "style-src": "'self'",
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "media-src": "'self' blob:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""For answers that are no pages: JSON, files."""


def script_hashes(html: str) -> list[str]:
    """Hash every inline script of a page, as a policy names them."""
    bodies = {body for attributes, body in _SCRIPT.findall(html) if not re.search(r"\bsrc\s*=", attributes)}
    return sorted(f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'" for body in bodies)


def page_policy(html: str) -> str:
    """Write the policy of one page: our own files and exactly the inline scripts that it was built with."""
    scripts = " ".join(["'self'", *script_hashes(html)])
    directives = {**_COMMON, "script-src": scripts}
    return "; ".join(f"{name} {value}" for name, value in directives.items())
