"""Where the portal gets its provider. The wiring module connects it once, at start-up."""

from __future__ import annotations

from portal.contract.provider import Provider

_connected: list[Provider] = []


def connect(provider: Provider) -> None:
    """Use this provider from now on, in this process."""
    _connected[:] = [provider]


def disconnect() -> None:
    """Use no provider any more."""
    _connected.clear()


def provider() -> Provider:
    """The connected provider.

    Raises:
        RuntimeError: nothing was connected; the process was not started through the wiring.
    """
    if not _connected:
        raise RuntimeError("no provider is connected")
    return _connected[0]
