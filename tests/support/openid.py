"""An OpenID provider in a process of its own (`tests.support.openid_server`). Tests tell it who logs in."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pydantic import HttpUrl, SecretStr

from portal.setting_groups import StaffOidc
from tests.support.polling import NO_CERTIFICATES, fetch
from tests.support.ports import free_port

CLIENT, SECRET = "portal-desk", "secret of the client: + / = %"
FAULTS = ("signature", "no signature", "shared key", "nonce", "expired", "audience", "issuer", "access token", "no sub")
"""What is wrong with the ID token."""

_ROOT = Path(__file__).resolve().parents[2]


@dataclass
class OpenId:
    """A running provider."""

    port: int
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def issuer(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def settings(self, **changes: Any) -> StaffOidc:
        """Settings that lead to it."""
        return StaffOidc(issuer=HttpUrl(self.issuer), client_id=CLIENT, client_secret=SecretStr(SECRET), **changes)

    async def instruct(self, fault: str = "", **claims: Any) -> None:
        """Say who logs in next, and what shall be wrong with the token."""
        async with httpx.AsyncClient(verify=NO_CERTIFICATES) as http:
            answer = await http.post(f"{self.issuer}/instruct", json={"fault": fault, "claims": claims})
            assert answer.status_code == 200

    async def consent(self, url: str) -> dict[str, str]:
        """Open the address as a browser does; the parameters with which it comes back."""
        async with httpx.AsyncClient(verify=NO_CERTIFICATES) as http:
            answer = await http.get(url)
        assert answer.status_code == 302, answer.text
        return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}

    def start(self) -> None:
        """Start the process and wait until it answers."""
        environment = {**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"}
        command = [sys.executable, "-m", "tests.support.openid_server", str(self.port)]
        self._process = subprocess.Popen(command, cwd=_ROOT, env=environment, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while True:
            try:
                fetch(f"{self.issuer}/keys")
            except httpx.TransportError:
                assert time.monotonic() < until, "the OpenID provider did not start"
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """End the process."""
        if self._process:
            self._process.kill()
            self._process.wait()


@pytest.fixture(scope="module")
def openid() -> Iterator[OpenId]:
    """A provider for the tests of one module."""
    provider = OpenId(free_port())
    provider.start()
    yield provider
    provider.stop()
