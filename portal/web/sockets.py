"""Limits on open sockets per browser session and per network address, because each uses memory of the process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from starlette.requests import HTTPConnection

from portal.settings import settings
from portal.web.cookies import fingerprint
from portal.web.forms import network_address


class SocketLimit:
    """Counts the open sockets of this process, with either transport."""

    def __init__(
        self, token_of: Callable[[str], str], per_address: int | None = None, per_session: int | None = None
    ) -> None:
        """Start without sockets. `token_of` reads the session token of a Cookie header."""
        self._token_of = token_of
        self._per_address = per_address or settings().sockets_per_address
        self._per_session = per_session or settings().sockets_per_session
        self._open: Counter[str] = Counter()
        self._keys: dict[str, list[str]] = {}

    def take(self, socket: str, connection: HTTPConnection) -> bool:
        """Count a socket that opens; whether there was room for it. The page of a refused one tries again later."""
        limits = {f"address:{fingerprint(network_address(connection))}": self._per_address}
        if session := self._token_of(connection.headers.get("cookie", "")):
            limits[f"session:{fingerprint(session)}"] = self._per_session
        if any(self._open[key] >= limit for key, limit in limits.items()):
            return False
        self._open.update(limits.keys())
        self._keys[socket] = list(limits)
        return True

    def release(self, socket: str) -> None:
        """Forget a socket that has closed."""
        keys = self._keys.pop(socket, [])
        self._open.subtract(keys)
        for key in keys:
            if self._open[key] <= 0:
                del self._open[key]
