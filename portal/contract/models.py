"""Shapes that every subject shares."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Generic, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field

from portal.contract.tolerance import otherwise
from portal.domain.codes import Code

T = TypeVar("T")
Locale = Literal["nl", "en"]
KnownLocale = Annotated[Locale, otherwise(get_args(Locale), "en")]
"""A language in an answer of the provider; one that the portal does not speak reads as English."""
Amount = Annotated[Decimal, Field(max_digits=12, decimal_places=2)]
"""An amount in euro, two decimals; a string in JSON."""

PAGE_SIZE = 25
"""Entries of a list that travel at once."""


class Shape(BaseModel):
    """Base of everything that travels: immutable, no surprises."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Page(Shape, Generic[T]):
    """A part of a list, newest first.

    Attributes:
        items: at most the page size.
        page: which page this is, from 1.
        pages: how many there are, at least 1.
        total: how many entries there are in all.
    """

    items: list[T]
    page: int
    pages: int
    total: int


class Document(Shape):
    """A file for the customer: its name, media type and bytes."""

    name: str
    media_type: str
    content: bytes


class ErrorDetails(Shape):
    """More about a refusal: codes per field, when to retry (ISO 8601, UTC), where to go instead."""

    fields: dict[str, Code] = {}
    retry_at: str | None = None
    url: str | None = None


class Envelope(Shape, Generic[T]):
    """Every answer of the provider API (part-1 §7: success, error, data)."""

    success: bool
    data: T | None = None
    error: Code | None = None
    details: ErrorDetails | None = None
