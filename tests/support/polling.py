"""Asking servers of tests whether they run, as often as needed: at http addresses, so without certificates."""

import ssl
from typing import Any

import httpx

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts nobody. With the certificates of the machine each request would cost 20 ms of processor time."""


def fetch(url: str, **options: Any) -> httpx.Response:
    """Send one request (GET unless `method` says otherwise)."""
    return httpx.request(options.pop("method", "GET"), url, verify=NO_CERTIFICATES, **options)
