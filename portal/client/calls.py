"""What the parts of the client share: how to ask, send and name things."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from pydantic import TypeAdapter

from portal.client.answers import PDF, Kind
from portal.client.caller import QueryValue
from portal.contract.base import Document, Shape
from portal.contract.session import Origin

T = TypeVar("T")


class Calls(ABC):
    """Operations of one subject, over the provider API; what they say is said in the contract."""

    @abstractmethod
    async def _get(self, operation: str, path: str, token: str, shape: TypeAdapter[T], **query: QueryValue) -> T: ...

    @abstractmethod
    async def _send(
        self, operation: str, method: str, path: str, token: str, body: Shape | None, shape: TypeAdapter[T]
    ) -> T: ...

    @abstractmethod
    async def _login(self, operation: str, path: str, body: Shape, origin: Origin, shape: TypeAdapter[T]) -> T:
        """Send what needs no session, and tell from where it comes."""

    @abstractmethod
    async def _post_openly(self, operation: str, path: str, body: Shape, shape: TypeAdapter[T]) -> T:
        """Send what needs no session."""

    @abstractmethod
    async def _document(
        self, operation: str, path: str, token: str, kind: Kind = PDF, **query: QueryValue
    ) -> Document: ...

    @abstractmethod
    async def _known_form(self, token: str, reference: str) -> str: ...
