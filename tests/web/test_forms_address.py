"""Whose network address counts, and what the log says when the number of proxies is wrong."""

from collections.abc import Iterator

import pytest
from starlette.requests import Request
from structlog.testing import capture_logs

from portal.web import forms
from portal.web.forms import network_address


@pytest.fixture(autouse=True)
def nothing_reported() -> Iterator[None]:
    forms._report_proxies.cache_clear()
    yield
    forms._report_proxies.cache_clear()


def _request(forwarded: str) -> Request:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    return Request({"type": "http", "headers": headers, "client": ("127.0.0.1", 1)})


@pytest.mark.parametrize(
    ("hops", "forwarded", "address", "event"),
    [
        (0, "", "127.0.0.1", ""),
        (0, "203.0.113.9", "127.0.0.1", "unexpected X-Forwarded-For"),
        (1, "203.0.113.9", "203.0.113.9", ""),
        (1, "198.51.100.4, 203.0.113.9", "203.0.113.9", ""),
        (2, "198.51.100.4, 203.0.113.9", "198.51.100.4", ""),
        (1, "", "127.0.0.1", "no X-Forwarded-For"),
        (2, "203.0.113.9", "127.0.0.1", "unexpected X-Forwarded-For"),
    ],
)
def test_a_header_that_does_not_fit_the_number_of_proxies_is_an_error_in_the_log(
    monkeypatch: pytest.MonkeyPatch, hops: int, forwarded: str, address: str, event: str
) -> None:
    monkeypatch.setattr(forms.settings(), "trusted_proxy_hops", hops)
    with capture_logs() as logs:
        found = [network_address(_request(forwarded)) for _ in range(3)]
    assert found == [address] * 3
    reported = [(line["event"], line["log_level"], line["trusted_proxy_hops"]) for line in logs]
    assert reported == ([(event, "error", hops)] if event else []), "once for the process"
