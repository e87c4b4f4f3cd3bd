"""Checks that every refusal raised during a test in this process is declared."""

from collections.abc import Awaitable, Callable, Iterator
from functools import wraps
from typing import Any

import pytest

from portal.contract.errors import ProviderError
from portal.provider import registry
from tests.support.declared import DECLARED, is_declared

_undeclared: set[str] = set()


@pytest.fixture(autouse=True, scope="session")
def _refusals_are_watched() -> Iterator[None]:
    """Check every refusal before it leaves the service."""
    dispatched = registry.dispatched

    def watched(name: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(method)
        async def call(*arguments: Any, **named: Any) -> Any:
            try:
                return await method(*arguments, **named)
            except ProviderError as error:
                if not is_declared(DECLARED[name], error):
                    codes = ", ".join(f"{field}={code}" for field, code in error.fields.items())
                    _undeclared.add(f"{name}: {type(error).__name__}({error.code}) {codes}".strip())
                raise

        return dispatched(name, call)

    registry.dispatched = watched
    yield
    registry.dispatched = dispatched


@pytest.fixture(autouse=True)
def _every_refusal_was_declared() -> Iterator[None]:
    """Fail the test if an operation raised an undeclared refusal."""
    _undeclared.clear()
    yield
    assert not _undeclared, "refusals that are not declared"
