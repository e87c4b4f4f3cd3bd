"""Access to the connected provider: `ask(ReturnsApi).cancel_return(...)`. The wiring connects it once, at start-up.

A provider runs in this process or elsewhere; tests/contract runs against both.
"""

from typing import Protocol, TypeVar

T = TypeVar("T")


class Provider(Protocol):
    """A provider: an object with an implementation of every API of the contract."""

    def ask(self, api: type[T]) -> T:
        """Return the implementation of an API."""


_connected: list[Provider] = []


def connect(provider: Provider) -> None:
    """Use this provider in this process from now on."""
    _connected[:] = [provider]


def disconnect() -> None:
    """Remove the connected provider."""
    _connected.clear()


def connected() -> Provider:
    """The connected provider.

    Raises `RuntimeError`: no provider is connected, because the process was not started by `portal.wiring`.
    """
    if not _connected:
        raise RuntimeError("no provider is connected")
    return _connected[0]


def ask(api: type[T]) -> T:
    """Return the implementation of an API by the connected provider.

    `api`: the Protocol that declares the operations, such as `ReturnsApi`.
    Raises `RuntimeError`: no provider is connected.
    """
    return connected().ask(api)
