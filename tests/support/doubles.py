"""Test doubles: providers with some operations replaced."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import pytest

from portal.contract import registry
from portal.contract.registry import Provider

T = TypeVar("T")
Method = Callable[..., Awaitable[Any]]


class Altered:
    """A provider whose operations pass through a function that may replace them."""

    def __init__(self, provider: Provider, alter: Callable[[str, Method], Method]) -> None:
        """Wrap a provider; `alter` gets the name of an operation and its function, and returns the one to call."""
        self._provider, self._alter = provider, alter

    def ask(self, api: type[T]) -> T:
        """The altered implementation of an API."""
        return cast(T, _AlteredApi(self._provider.ask(api), self._alter))


class _AlteredApi:
    def __init__(self, service: object, alter: Callable[[str, Method], Method]) -> None:
        self._service, self._alter = service, alter

    def __getattr__(self, name: str) -> Method:
        return self._alter(name, getattr(self._service, name))


def replaced(provider: Provider, **operations: Method) -> Altered:
    """A provider with these operations replaced."""
    return Altered(provider, lambda name, method: operations.get(name, method))


@contextmanager
def answering(**operations: Method) -> Iterator[None]:
    """A provider with these operations replaced is connected for a while."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(registry, "_connected", [replaced(registry.connected(), **operations)])
        yield
