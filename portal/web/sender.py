"""Who sends a request: our own page or another site, and from which network address."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from portal.settings import settings


def from_own_page(connection: HTTPConnection) -> bool:
    """Whether a request that changes something comes from a page of this very origin.

    Browsers say so themselves, in headers that no script can write. A request that says nothing is refused.
    """
    site = connection.headers.get("sec-fetch-site")
    origin = connection.headers.get("origin")
    if site is None and origin is None:
        return False
    if site is not None and site != "same-origin":
        return False
    return origin is None or _is_own(origin, connection)


def _is_own(origin: str, connection: HTTPConnection) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    schemes = {"https"} if settings().secure else {"http", "https"}
    return parts.scheme in schemes and bool(parts.netloc) and parts.netloc == connection.headers.get("host")


def network_address(connection: HTTPConnection) -> str:
    """The address of the browser, for limits; behind proxies as the outermost trusted one reports it."""
    hops = settings().trusted_proxy_hops
    if hops:
        forwarded = ",".join(connection.headers.getlist("x-forwarded-for"))
        addresses = [part.strip() for part in forwarded.split(",") if part.strip()]
        if len(addresses) >= hops:
            return addresses[-hops]
    return connection.client.host if connection.client else ""
