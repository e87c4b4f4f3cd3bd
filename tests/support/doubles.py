"""Providers of which some operations do something else than they do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from portal.contract.registry import Provider

T = TypeVar("T")
Method = Callable[..., Awaitable[Any]]


class Altered:
    """A provider, operation by operation altered."""

    def __init__(self, provider: Provider, alter: Callable[[str, Method], Method]) -> None:
        """Alter a provider.

        Args:
            provider: answers.
            alter: gives what is called instead, for the name of an operation and what would be called.
        """
        self._provider, self._alter = provider, alter

    def ask(self, api: type[T]) -> T:
        """What answers the operations of this API."""
        return cast(T, _AlteredApi(self._provider.ask(api), self._alter))


class _AlteredApi:
    def __init__(self, service: object, alter: Callable[[str, Method], Method]) -> None:
        self._service, self._alter = service, alter

    def __getattr__(self, name: str) -> Method:
        return self._alter(name, getattr(self._service, name))


def replaced(provider: Provider, **operations: Method) -> Altered:
    """A provider of which these operations do something else."""
    return Altered(provider, lambda name, method: operations.get(name, method))
