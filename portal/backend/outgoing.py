"""Requests to addresses that a person entered: only to public hosts, without redirects, and with limits.

The host is resolved once, every address that it has is checked, and the connection goes to a checked address. So a
name that resolves to something else a moment later reaches nothing inside the retailer's network.
"""

import asyncio
import ipaddress
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from portal.backend.security import certificates
from portal.vocabulary.exchange import NoAnswer

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_MAX_ANSWER_BYTES = 4096
"""Bytes of the answer to a message that are read."""


class AddressRefused(Exception):
    """The address may not be called; the message says why, without what was resolved."""


@dataclass(frozen=True, slots=True)
class OutgoingAnswer:
    """What became of a request.

    `status`: HTTP status; None if there was no answer.
    `text`: the beginning of the answer, or why there was none.
    """

    status: int | None
    text: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of fetching a file.

    `status`: HTTP status; None if there was no answer.
    `content`: the file, cut off one byte after the largest size.
    `problem`: why there was no answer; empty if there was one.
    `refused`: whether the address may not be called, now or ever.
    """

    status: int | None
    content: bytes = b""
    problem: str = ""
    refused: bool = False


def is_public(address: str) -> bool:
    """Whether an IP address belongs to a host on the public internet, also if it wraps an IPv4 address."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


def checked_url(text: str, *, anywhere: bool = False) -> httpx.URL:
    """The URL, if it may be called as far as its text tells.

    `anywhere`: whether http and private addresses are allowed, as in the demonstration.
    Raises `AddressRefused`: it is no URL, not https, has a user name or a fragment, or names a private address.
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        raise AddressRefused("no URL") from None
    if url.scheme != "https" and not (anywhere and url.scheme == "http"):
        raise AddressRefused("only https")
    if not url.host or url.userinfo or url.fragment:
        raise AddressRefused("no URL of a host")
    try:
        public = is_public(url.host)
    except ValueError:
        public = "." in url.host and not url.host.endswith((".localhost", ".local", ".internal"))
    if not public and not anywhere:
        raise AddressRefused("a private address")
    return url


async def post(
    url: str, content: bytes, headers: Mapping[str, str], *, seconds: float, anywhere: bool = False
) -> OutgoingAnswer:
    """Send content to a URL. Never raises because of the receiver: a failure is an answer without a status.

    `anywhere`: whether http and private addresses are allowed, as in the demonstration.
    """
    began = time.monotonic()
    status: int | None = None
    try:
        async with asyncio.timeout(seconds):
            called = checked_url(url, anywhere=anywhere)
            status, answer = await _exchange("POST", called, headers, anywhere, _MAX_ANSWER_BYTES, content)
            text = answer.decode("utf-8", "replace")
    except AddressRefused as refusal:
        text = f"{NoAnswer.REFUSED}: {refusal}"
    except (httpx.HTTPError, OSError) as error:
        text = _why(error)
    return OutgoingAnswer(status, text, round((time.monotonic() - began) * 1000))


async def fetch(url: str, *, seconds: float, largest: int, anywhere: bool = False) -> Fetched:
    """Fetch a file from a URL. Never raises because of the server that has it.

    `largest`: most bytes; of a larger file one byte more is returned.
    `anywhere`: whether http and private addresses are allowed, as in the demonstration.
    """
    try:
        async with asyncio.timeout(seconds):
            status, content = await _exchange("GET", checked_url(url, anywhere=anywhere), {}, anywhere, largest + 1)
    except AddressRefused as refusal:
        return Fetched(None, problem=str(refusal), refused=True)
    except (httpx.HTTPError, OSError) as error:
        return Fetched(None, problem=_why(error))
    return Fetched(status, content)


def _why(error: httpx.HTTPError | OSError) -> str:
    """Why there was no answer. The end of the whole exchange is a `TimeoutError`, which is an `OSError`."""
    late = isinstance(error, TimeoutError)
    return NoAnswer.LATE.value if late else f"{NoAnswer.UNREACHABLE}: {type(error).__name__}"


async def _exchange(
    method: str, url: httpx.URL, headers: Mapping[str, str], anywhere: bool, largest: int, content: bytes | None = None
) -> tuple[int, bytes]:
    address = await _resolve(url, anywhere=anywhere)
    # The connection goes to the checked address; the certificate is checked against the name.
    async with (
        # The callers limit the whole exchange.
        httpx.AsyncClient(verify=certificates(), timeout=None, trust_env=False) as client,  # noqa: S113 - see above
        client.stream(
            method,
            url.copy_with(host=address),
            content=content,
            headers={**headers, "Host": url.netloc.decode(), "Accept-Encoding": "identity"},
            extensions={"sni_hostname": url.host},
        ) as answer,
    ):
        beginning = b""
        async for chunk in answer.aiter_raw():
            beginning += chunk
            if len(beginning) >= largest:
                break
        return answer.status_code, beginning[:largest]


async def _resolve(url: httpx.URL, *, anywhere: bool) -> str:
    """The first address of the host, if all of them may be called."""
    port = url.port or (443 if url.scheme == "https" else 80)
    found = await asyncio.get_running_loop().getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not (anywhere or all(is_public(address) for address in addresses)):
        raise AddressRefused("a private address")
    return addresses[0]
