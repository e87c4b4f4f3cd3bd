"""What both ends of the provider API have to agree on beside the models."""

from __future__ import annotations

import re

PREFIX = "/mijn-fw/v2"
"""Where all paths of the API begin (part-1 §7)."""
CHALLENGE_COOKIE = "mijn-fw-challenge"
"""Holds the challenge of the browser, HttpOnly, for this API only (part-1 §10)."""
KEY_HEADER = "X-Portal-Key"
"""Carries the secret that the portal shares with the provider."""
ADDRESS_HEADER = "X-Forwarded-For"
"""Carries the network address of the customer; believed only beside the right key, or behind known proxies."""
LARGEST_REQUEST = 64 * 1024
"""Bytes of a request body that is no file."""
FILE_PATH = re.compile(re.escape(PREFIX) + "/files/[A-Za-z0-9-]{1,40}/body")
"""Where the bytes of a file arrive."""
LAST_PAGE = 100_000
"""Highest page number that can be asked for; every list ends long before."""
REFERENCE_FORM = "[A-Za-z0-9-]{1,40}"
"""Form of everything that names an order, bike or invoice in a path."""
TOKEN_FORM = "[A-Za-z0-9._~+/=-]{1,4096}"  # noqa: S105 - a form, not a secret
"""Form of a bearer token (RFC 6750)."""
