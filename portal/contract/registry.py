"""Where the portal asks: `ask(ReturnsApi).cancel_return(...)`. The wiring connects a provider once, at start-up.

Whether a call crosses a network is a deployment decision; the suite in tests/contract runs against both ways.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

T = TypeVar("T")


class Provider(Protocol):
    """The retailer's side: something that answers every API of the contract."""

    def ask(self, api: type[T]) -> T:
        """What answers the operations of this API."""
        ...


_connected: list[Provider] = []


def connect(provider: Provider) -> None:
    """Use this provider from now on, in this process."""
    _connected[:] = [provider]


def disconnect() -> None:
    """Use no provider any more."""
    _connected.clear()


def connected() -> Provider:
    """The connected provider.

    Raises:
        RuntimeError: nothing was connected; the process was not started through the wiring.
    """
    if not _connected:
        raise RuntimeError("no provider is connected")
    return _connected[0]


def ask(api: type[T]) -> T:
    """What answers the operations of this API at the connected provider.

    Args:
        api: the Protocol that declares the operations, such as `ReturnsApi`.

    Raises:
        RuntimeError: no provider is connected.
    """
    return connected().ask(api)
