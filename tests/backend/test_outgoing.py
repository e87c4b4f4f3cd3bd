"""Requests to addresses that a person entered reach no host inside the retailer's network."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.backend.outgoing import AddressRefused, checked_url, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - an address to refuse
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::a00:1",
        "2001:0:4136:e378:8000:63bf:f5ff:fffe",
    ],
)
def test_private_addresses_are_recognized_in_every_form(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"])
def test_public_addresses_are_recognized(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_as_public_in_ipv6_as_alone(address: object) -> None:
    assert is_public(f"::ffff:{address}") is is_public(str(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.example/",
        "https://localhost/",
        "https://portal/",
        "https://shop.localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://user@shop.example/",
        "https://shop.example/#part",
        "https:///events",
        "shop.example",
        "",
    ],
)
def test_a_url_that_is_not_public_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        checked_url(url)


def test_a_public_url_with_port_and_query_is_accepted() -> None:
    assert (
        str(checked_url("https://hooks.shop.example:8443/events?shop=1"))
        == "https://hooks.shop.example:8443/events?shop=1"
    )


def test_the_demonstration_takes_its_own_machine() -> None:
    assert checked_url("http://127.0.0.1:8080/events", anywhere=True).port == 8080
