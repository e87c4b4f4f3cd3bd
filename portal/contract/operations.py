"""Declaration of operations: a decorator above the signature adds method, path and possible errors.

The routes of the API (`portal.backend.api.routes`) and the HTTP client (`portal.client.remote`) are derived from the
declaration. The signature decides how each parameter is sent:

- name in braces in the path: as a part of the path;
- `Token`: as the bearer token; `Origin`: as headers of a call without a session;
- `AsyncIterator[bytes]`: as the streamed body;
- a field of the model in `body=`: as a field of the JSON body;
- a `Model`: as the JSON body, or for GET as query parameters, one per field;
- anything else: as a query parameter. A default inside `Field` applies when an HTTP call omits the parameter.

Every operation with a `Token` checks session and ownership on every call. Operations raise `ProviderError`. Some errors
are implicit and not declared: `NotAuthenticated` for an operation with a token, `NotFound` for a path with an
identifier and for an operation of staff, `InvalidInput` for malformed input, `Refused` with `read_only` in a session
that staff opened for a customer, and `Unavailable` when the provider cannot be reached or understood.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Annotated, Any, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from pydantic import Field
from pydantic.fields import FieldInfo

from portal.contract.errors import ProviderError
from portal.contract.models import LAST_PAGE, Locale, Model
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.vocabulary.staff import Right

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True, slots=True)
class Bearer:
    """Marks the parameter that is the bearer token."""


Token = Annotated[str, Bearer()]
"""The session token. An operation with it reads and changes only data of this customer."""

StaffToken = Annotated[str, Bearer()]
"""The session token of a member of staff. An operation with it declares a right in `right=`."""

PageNumber = Annotated[int, Field(ge=1, le=LAST_PAGE, description="Which page, from 1; beyond the last is the last.")]
MAX_SEARCH = 60
"""Most characters of a search."""

SearchText = Annotated[str, Field(max_length=MAX_SEARCH, description="Part of what an entry shows; empty for all.")]
Year = Annotated[int, Field(ge=0, le=9999, description="The local year; 0 for all.")]
FileLocale = Annotated[Locale, Field(default="nl")]
"""The language of a file."""


@dataclass(frozen=True, slots=True)
class Media:
    """A kind of file that an operation returns.

    `media_type`: HTTP media type.
    `beginning`: the first bytes of every such file.
    `attached`: whether browsers save it instead of showing it.
    """

    media_type: str
    beginning: bytes
    name: str
    attached: bool = True


PDF = Media("application/pdf", b"%PDF-", "document.pdf")
CALENDAR = Media("text/calendar", b"BEGIN:VCALENDAR", "appointment.ics")
JPEG = Media("image/jpeg", b"\xff\xd8\xff", "preview.jpg", attached=False)
CSV = Media("text/csv", b"\xef\xbb\xbf", "list.csv")
ANY_FILE = Media("application/octet-stream", b"", "file")


class DeclaredRefusal:
    """An error that an operation can raise. `codes`: the possible codes; empty if the code depends on the input."""

    def __init__(self, error: type[ProviderError], *codes: Code) -> None:
        self.error = error
        self.codes = codes


class InVisit(Enum):
    """Whether staff may call an operation of customers in a session that they opened for a customer."""

    BY_METHOD = auto()
    """Operations that read: always. Others: only in the customer's name."""
    ALWAYS = auto()
    NEVER = auto()
    """Only the customer."""


class ParameterPlace(Enum):
    """How a parameter is sent."""

    PATH = auto()
    QUERY = auto()
    QUERY_MODEL = auto()
    BODY = auto()
    BODY_FIELD = auto()
    STREAM = auto()
    TOKEN = auto()
    ORIGIN = auto()


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of an operation: its type without annotations, its `Field`, and its place in the HTTP request."""

    name: str
    place: ParameterPlace
    type: Any
    field: FieldInfo | None
    default: Any


@dataclass(frozen=True)
class Operation:
    """The declaration of an operation.

    `function`: the declared function; never called.
    `body`: model whose fields are parameters in the JSON body.
    `identifier`: operation id in the OpenAPI document; defaults to the name.
    `silent`: errors for which the client returns None instead of raising.
    `waits`: query field with the seconds for which the provider may delay its answer.
    `right`: what an operation for staff requires; None for operations of customers.
    `in_visit`: for operations of customers, whether staff may call it in a customer's session.
    """

    function: Callable[..., Awaitable[Any]]
    method: str
    path: str
    refuses: tuple[DeclaredRefusal, ...] = ()
    body: type[Model] | None = None
    media: Media | None = None
    identifier: str = ""
    silent: tuple[type[ProviderError], ...] = ()
    waits: str = ""
    right: Right | None = None
    in_visit: InVisit = InVisit.BY_METHOD

    @property
    def name(self) -> str:
        """Name of the Python method."""
        return self.function.__name__

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @property
    def answer(self) -> Any:
        """The return type."""
        answer = self._hints["return"]
        return None if answer is type(None) else answer

    @property
    def never_answers(self) -> bool:
        """Whether it always raises."""
        return self.answer is NoReturn

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """All parameters except `self`."""
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(self._argument(each.name, self._hints[each.name], each.default) for each in parameters)

    def at(self, *places: ParameterPlace) -> list[Argument]:
        """The parameters in these places."""
        return [each for each in self.arguments if each.place in places]

    def _argument(self, name: str, hint: Any, default: Any) -> Argument:
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        plain = get_args(hint)[0] if marks else hint
        field = next((mark for mark in marks if isinstance(mark, FieldInfo)), None)
        return Argument(name, self._place(name, plain, marks), plain, field, default)

    def _place(self, name: str, plain: Any, marks: tuple[Any, ...]) -> ParameterPlace:
        if any(isinstance(mark, Bearer) for mark in marks):
            return ParameterPlace.TOKEN
        if "{" + name + "}" in self.path:
            return ParameterPlace.PATH
        if plain is Origin:
            return ParameterPlace.ORIGIN
        if get_origin(plain) is AsyncIterator:
            return ParameterPlace.STREAM
        if isinstance(plain, type) and issubclass(plain, Model):
            return ParameterPlace.QUERY_MODEL if self.method == "GET" else ParameterPlace.BODY
        if self.body is not None and name in self.body.model_fields:
            return ParameterPlace.BODY_FIELD
        if self.method != "GET":
            raise TypeError(f"{self.name}: {name} has no place in the HTTP request")
        return ParameterPlace.QUERY

    @cached_property
    def summary(self) -> str:
        """The first paragraph of the docstring, without the final full stop."""
        return _paragraphs(self.function)[0].rstrip(".")

    @cached_property
    def description(self) -> str:
        """The other paragraphs."""
        return "\n\n".join(_paragraphs(self.function)[1:])

    @cached_property
    def codes(self) -> Mapping[int, tuple[str, ...]]:
        """The declared codes by HTTP status."""
        found: dict[int, list[str]] = {}
        for refusal in self.refuses:
            known = found.setdefault(refusal.error.status, [])
            known += [code.value for code in refusal.codes if code.value not in known]
        return {status: tuple(codes) for status, codes in sorted(found.items())}


def operation(
    method: str,
    path: str,
    *,
    refuses: tuple[DeclaredRefusal, ...] = (),
    body: type[Model] | None = None,
    media: Media | None = None,
    identifier: str = "",
    silent: tuple[type[ProviderError], ...] = (),
    waits: str = "",
    right: Right | None = None,
    in_visit: InVisit = InVisit.BY_METHOD,
) -> Callable[[F], F]:
    """Declare an operation; a service that inherits it must implement it.

    The arguments are the attributes of `Operation`.
    """

    def declare(function: F) -> F:
        declared = Operation(function, method, path, refuses, body, media, identifier, silent, waits, right, in_visit)
        # pyrefly: ignore[missing-attribute]  # functions take any attribute
        function.__operation__ = declared
        # pyrefly: ignore[missing-attribute]  # functions take any attribute
        function.__isabstractmethod__ = True
        return function

    return declare


def operations_of(api: type) -> dict[str, Operation]:
    """The operations of an API by name, in the order of their declaration."""
    return {name: member.__operation__ for name, member in vars(api).items() if hasattr(member, "__operation__")}


def _paragraphs(function: Callable[..., Any]) -> list[str]:
    return [" ".join(part.split()) for part in (inspect.getdoc(function) or "").split("\n\n")]
