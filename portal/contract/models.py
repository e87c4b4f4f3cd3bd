"""Models that all subjects share, and the constants of the provider's HTTP API."""

import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar, get_args

import structlog
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from portal.illustrations import DEFAULT_COLOR, NAMES
from portal.kernel.codes import Code
from portal.kernel.ranges import Part
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnKind, ReturnStatus
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

_log = structlog.get_logger(__name__)
_MAX_LOGGED = 40


def otherwise(known: Iterable[str], neutral: str | None) -> BeforeValidator:
    """Replace an unknown text by `neutral`, and log it once.

    `known`: an enumeration of texts, or the texts.
    """
    texts = frozenset(known)
    subject = getattr(known, "__name__", "text")

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value in texts:
            return value
        warn_unknown(subject, value)
        return neutral

    return BeforeValidator(read)


def only_known(known: Iterable[str], key: str = "") -> BeforeValidator:
    """Drop list entries that this portal does not know, and log each once.

    `known`: an enumeration of texts, or the texts.
    `key`: if entries are objects, the key whose value must be known.
    """
    texts = frozenset(known)
    subject = getattr(known, "__name__", "text")

    def unknown(entry: Any) -> bool:
        value = entry.get(key) if key and isinstance(entry, dict) else entry
        if not isinstance(value, str) or value in texts:
            return False
        warn_unknown(subject, value)
        return True

    def read(value: Any) -> Any:
        return [entry for entry in value if not unknown(entry)] if isinstance(value, list) else value

    return BeforeValidator(read)


@lru_cache(maxsize=256)
def warn_unknown(subject: str, value: str) -> None:
    """Log a value that this portal does not know, once per value."""
    _log.warning("unknown_value", subject=subject, value=value[:_MAX_LOGGED])


def in_form(pattern: str, neutral: str = "") -> BeforeValidator:
    """Replace a text of another form by `neutral`: it becomes part of an address or a style."""
    return BeforeValidator(
        lambda value: neutral if isinstance(value, str) and not re.fullmatch(pattern, value) else value
    )


OwnPage = Annotated[str, in_form(r"/(?!/)[\w/-]*(\?[\w=-]*)?", "/dashboard")]
"""A path of a page of the portal that the provider names; anything else leads to the overview."""

OptionalPage = Annotated[str, in_form(r"(/(?!/)[\w/-]*(\?[\w=-]*)?)?")]
"""The same, empty without a page; anything else is none."""

OptionalLink = Annotated[str, in_form(r"(https://\S+)?")]
"""An https address of somebody else, empty without one; anything else is none, because pages and mails link to it."""

T = TypeVar("T")
Locale = Literal["nl", "en"]
KnownLocale = Annotated[Locale, otherwise(get_args(Locale), "en")]
"""A language in an answer of the provider; an unknown one is read as English."""

Amount = Annotated[Decimal, Field(max_digits=12, decimal_places=2)]
"""An amount in euro, two decimals; a string in JSON."""

PAGE_SIZE = 25
"""Entries on one page of a list."""


class Model(BaseModel):
    """Base class of all models of the contract: immutable, unknown fields are ignored."""

    if TYPE_CHECKING:  # What code writes is of the type; only JSON is converted, or has fields that are unknown here.
        model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    else:
        model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


M = TypeVar("M", bound=Model)


def mapped(model: type[M], source: object, **more: Any) -> M:
    """A model with the fields that `source` has under the same names, and with `more`, which wins.

    Raises `ValidationError`: if a required field is in neither.
    """
    same = {name: getattr(source, name) for name in model.model_fields if name not in more and hasattr(source, name)}
    return model(**same, **more)


class Page(Model, Generic[T]):
    """One page of a list, newest entries first.

    `items`: at most the page size.
    `page`: number of this page, from 1.
    `pages`: number of pages, at least 1.
    `total`: number of entries on all pages.
    """

    items: list[T]
    page: int
    pages: int
    total: int


class Document(Model):
    """A file for the customer: its name, media type and bytes."""

    name: str
    media_type: str
    content: bytes


class ErrorDetails(Model):
    """Details of an error: codes per field, when to retry (ISO 8601, UTC), where to continue instead."""

    fields: dict[str, Code] = {}
    retry_at: str | None = None
    url: str | None = None


PREFIX = "/mijn-fw/v2"
"""Prefix of all paths of the API (part-1 §7)."""

CHALLENGE_COOKIE = "mijn-fw-challenge"
"""Name of the HttpOnly cookie with the login challenge of the browser (part-1 §10)."""

KEY_HEADER = "X-Portal-Key"
ADDRESS_HEADER = "X-Forwarded-For"
"""Header with the customer's network address; trusted only with the right key or behind known proxies."""

MAX_REQUEST_BYTES = 64 * 1024
"""Largest request body in bytes, except for files."""

LARGEST_IMPORT = 4 * 1024 * 1024
"""Largest request body in bytes of an import."""

IMPORT_PATH = re.compile(
    re.escape(PREFIX) + "/backoffice/(?:imports/(?:[a-z-]{1,40}|invoices/[^/]{1,300}/document)|recalls)"
)
"""Paths that receive many records of a shop, or a file."""

FILE_PATH = re.compile(
    re.escape(PREFIX) + "/(?:(?:staff/)?files/[A-Za-z0-9-]{1,40}/body|staff/imports/[A-Za-z0-9-]{1,40}/file)"
)
"""Path that receives the bytes of a file."""

LAST_PAGE = 100_000
REFERENCE_FORM = "[A-Za-z0-9-]{1,40}"
"""Form of the identifier of an order, bike or invoice in a path."""

TOKEN_FORM = "[A-Za-z0-9._~+/=-]{1,4096}"  # noqa: S105 - a form, not a secret
"""Form of a bearer token (RFC 6750)."""


class FilePart(Model):
    """Which bytes of a file are asked for. Without `first`, `last` counts bytes from the end; without both, all."""

    first: int | None = Field(default=None, ge=0, lt=10**15)
    last: int | None = Field(default=None, ge=0, lt=10**15)


WHOLE_FILE = FilePart()


@dataclass(frozen=True, slots=True)
class Content:
    """A file for its owner, streamed in chunks.

    `name`: suggested file name.
    `media_type`: of the stored file; a HEIC photo is stored as JPEG.
    `size`: bytes of the whole file; 0 for a file that is made while it is read.
    `chunks`: the bytes; the caller reads them to the end or closes the iterator.
    `part`: which bytes they are; None for the whole file.
    """

    name: str
    media_type: str
    size: int
    chunks: AsyncIterator[bytes]
    part: Part | None = None

    @property
    def length(self) -> int:
        """How many bytes `chunks` has; 0 if that is not known."""
        return self.size if self.part is None else self.part.length


class Action(Model):
    """A tile or button of the dashboard. `until` is the last day it is open, or the day it closed, if known."""

    feature: Feature
    opening: Annotated[Opening, otherwise(Opening, Opening.CLOSED)]
    reason: Annotated[Reason | None, otherwise(Reason, None)] = None
    until: date | None = None


class Picture(Model):
    """The picture of an item. There always is a drawing; `key` is empty if the shop sent no image.

    `drawing`: name of the drawing, such as 'step-through'.
    `color`: CSS hex colour of the drawing.
    `key`: of the image, by which `picture_file` reads it.
    `preview`: the image in a few pixels, as a `data:` address, to show until the image has come; may be empty.
    """

    drawing: Annotated[str, otherwise(NAMES, "parcel")] = "parcel"
    color: Annotated[str, in_form(r"#[0-9a-f]{6}", DEFAULT_COLOR)] = DEFAULT_COLOR
    key: Annotated[str, in_form(r"[0-9a-f]{32}")] = ""
    preview: Annotated[str, in_form(r"data:image/webp;base64,[A-Za-z0-9+/=]{1,1200}"), Field(max_length=1200)] = ""


class OngoingKind(StrEnum):
    """Kinds of ongoing items."""

    REQUEST = "request"
    DELIVERY = "delivery"
    RETURN = "return"
    INSURANCE = "insurance"
    INVOICE = "invoice"


class Rank(StrEnum):
    """Where the dashboard shows an ongoing item, in this order."""

    NEEDS_YOU = "needs_you"
    """The customer has something to do."""
    TODAY = "today"
    """Something arrives or happens today."""
    UNDER_WAY = "under_way"


class Ongoing(Model):
    """An ongoing item: an open request, a delivery, a return, an insurance that was asked for, or an unpaid invoice.

    `reference`: reference of the request or the insurance, number of the order, or id of the return or the invoice.
    `name`: the bike, the first item of the order or the return, or the number of the invoice.
    `mark`: what tells a bike or an item from others of its name; an order has its number.
    `from_time`, `until_time`: local times 'HH:MM' on the planned day of a delivery; empty if they are not known.
    `amount`: what is to be paid of an invoice, in euro; its `planned` is the day before which it is to be paid.
    `before`: until when the customer can confirm by the mailed link (UTC); None if nothing is to be confirmed.
    `since`: when it was reported or ordered.
    `label`, `meaning`: status and meaning of its account, by language; empty without an account.
    `asked`: whether staff wait for an answer of the customer; `label` and `meaning` then say so.
    """

    kind: OngoingKind
    reference: str
    name: str
    mark: str = ""
    picture: Picture = Picture()
    request_kind: Annotated[RequestKind | None, otherwise(RequestKind, RequestKind.UNKNOWN)] = None
    work_order_status: Annotated[WorkOrderStatus | None, otherwise(WorkOrderStatus, WorkOrderStatus.UNKNOWN)] = None
    delivery_status: Annotated[DeliveryStatus | None, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)] = None
    return_kind: Annotated[ReturnKind | None, otherwise(ReturnKind, ReturnKind.UNKNOWN)] = None
    return_status: Annotated[ReturnStatus | None, otherwise(ReturnStatus, ReturnStatus.UNKNOWN)] = None
    insurance_status: Annotated[InsuranceStatus | None, otherwise(InsuranceStatus, InsuranceStatus.UNKNOWN)] = None
    since: date
    planned: date | None = None
    from_time: str = ""
    until_time: str = ""
    amount: Amount | None = None
    before: datetime | None = None
    rank: Annotated[Rank, otherwise(Rank, Rank.UNDER_WAY)] = Rank.UNDER_WAY
    partner: str = ""
    label: dict[str, str] = Field(default_factory=dict)
    meaning: dict[str, str] = Field(default_factory=dict)
    asked: bool = False
