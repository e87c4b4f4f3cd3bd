"""Whose network address limits count: never one that anybody could claim."""

import pytest
from starlette.requests import Request

from portal.backend.api.routes import client_address, language
from portal.settings import Settings

KEY = "key-of-the-portal"


def asked(peer: str = "192.0.2.1", **headers: str) -> Request:
    """A request from somewhere."""
    raw = [(name.replace("_", "-").encode(), value.encode("utf-8")) for name, value in headers.items()]
    return Request({"type": "http", "client": (peer, 1), "headers": raw})


@pytest.mark.parametrize(
    ("settings", "headers", "address"),
    [
        ({}, {}, "192.0.2.1"),
        ({}, {"x_forwarded_for": "203.0.113.5"}, "192.0.2.1"),
        # An empty setting is no key.
        ({}, {"x_forwarded_for": "203.0.113.5", "x_portal_key": ""}, "192.0.2.1"),
        ({"api_key": KEY}, {"x_forwarded_for": "203.0.113.5"}, "192.0.2.1"),
        ({"api_key": KEY}, {"x_forwarded_for": "203.0.113.5", "x_portal_key": "wrong"}, "192.0.2.1"),
        ({"api_key": KEY}, {"x_forwarded_for": "203.0.113.5", "x_portal_key": "é"}, "192.0.2.1"),
        ({"api_key": KEY}, {"x_forwarded_for": "203.0.113.5", "x_portal_key": KEY}, "203.0.113.5"),
        ({"api_key": KEY}, {"x_forwarded_for": "2001:db8::0:1", "x_portal_key": KEY}, "2001:db8::1"),
        ({"api_key": KEY}, {"x_forwarded_for": "nonsense", "x_portal_key": KEY}, "192.0.2.1"),
        ({"api_key": KEY}, {"x_forwarded_for": "", "x_portal_key": KEY}, "192.0.2.1"),
        ({"trusted_proxy_hops": 1}, {"x_forwarded_for": "203.0.113.5"}, "203.0.113.5"),
        # What stands further left was written by whoever asked.
        ({"trusted_proxy_hops": 1}, {"x_forwarded_for": "10.0.0.1, 203.0.113.5"}, "203.0.113.5"),
        ({"trusted_proxy_hops": 2}, {"x_forwarded_for": "1.1.1.1, 203.0.113.5, 10.0.0.2"}, "203.0.113.5"),
        ({"trusted_proxy_hops": 2}, {"x_forwarded_for": "203.0.113.5"}, "192.0.2.1"),
        ({"trusted_proxy_hops": 1}, {}, "192.0.2.1"),
    ],
)
def test_a_forwarded_address_is_believed_from_those_we_know(
    settings: dict[str, object], headers: dict[str, str], address: str
) -> None:
    assert client_address(asked(**headers), Settings.model_validate(settings)) == address


@pytest.mark.parametrize(
    ("header", "expected"),
    [("", None), ("en", "en"), ("nl-NL,nl;q=0.9,en;q=0.8", "nl"), ("en-GB,en;q=0.9,nl;q=0.8", "en"), ("de,fr", None),
     ("de,en;q=0.5", "en"), ("end,open", None)],
)  # fmt: skip
def test_the_language_is_the_first_of_ours(header: str, expected: str | None) -> None:
    assert language(asked(accept_language=header)) == expected
