"""The certificate authorities that this machine trusts, for calls to other servers."""

from __future__ import annotations

import ssl
from functools import cache


@cache
def certificates() -> ssl.SSLContext:
    """Check servers by them.

    Reading them takes some 20 ms of the event loop, so it is done once, and not for each client.
    """
    return ssl.create_default_context()
