"""How an operation is declared, once: its HTTP form stands above its signature.

The routes of the API (`portal.backend.api.routes`) and the HTTP client (`portal.client.remote`) are derived from the
declaration. What a parameter is, is read from the signature:

- in braces in the path: a part of the path;
- `Token`: the bearer token; `Origin`: where a call without a session comes from;
- `AsyncIterator[bytes]`: the body, chunk by chunk;
- with `body=`: the fields of that model, one by one;
- a `Model`: the JSON body, or of a GET the query, field by field;
- anything else: in the query. A default inside `Field` is what an HTTP call that lacks the parameter means.

Every operation that takes a `Token` checks the session and the ownership itself, on every call. All raise
`ProviderError`. Some refusals go without saying and are not declared: `NotAuthenticated` where there is a token,
`NotFound` where a path names something, `InvalidInput` for what is not well formed, and `Unavailable` when the
provider cannot be reached or understood.
"""

from __future__ import annotations

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

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True, slots=True)
class Bearer:
    """Marks the parameter that is the bearer token."""


Token = Annotated[str, Bearer()]
"""The session. An operation that takes it tells and changes only what is this customer's."""

PageNumber = Annotated[int, Field(ge=1, le=LAST_PAGE, description="Which page, from 1; beyond the last is the last.")]

FileLocale = Annotated[Locale, Field(default="nl")]
"""The language of a file."""


@dataclass(frozen=True, slots=True)
class Media:
    """A kind of file that is answered.

    Attributes:
        media_type: of HTTP.
        beginning: how its bytes begin.
        name: what it is called when nothing is said.
        attached: whether browsers save it instead of showing it.
    """

    media_type: str
    beginning: bytes
    name: str
    attached: bool = True


PDF = Media("application/pdf", b"%PDF-", "document.pdf")

CALENDAR = Media("text/calendar", b"BEGIN:VCALENDAR", "appointment.ics")

JPEG = Media("image/jpeg", b"\xff\xd8\xff", "preview.jpg", attached=False)

ANY_FILE = Media("application/octet-stream", b"", "file")


class DeclaredRefusal:
    """A way in which an operation says no.

    Attributes:
        error: what is raised.
        codes: with one of these; without any, the code depends on what was asked.
    """

    def __init__(self, error: type[ProviderError], *codes: Code) -> None:
        self.error = error
        self.codes = codes


class ParameterPlace(Enum):
    """Where a parameter travels."""

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
    """A parameter: its plain type, what is said about it, and where it travels."""

    name: str
    place: ParameterPlace
    type: Any
    field: FieldInfo | None
    default: Any


@dataclass(frozen=True)
class Operation:
    """What is declared about an operation, and what its signature says.

    Attributes:
        function: as it is declared; never called.
        method: of HTTP.
        path: without the prefix of the API.
        refuses: how it says no, beyond what goes without saying.
        body: model whose fields are the parameters that are in neither path nor query.
        media: of the file that is answered.
        identifier: in the description of the API; by default the name.
        silent: errors that are no news for who asks: the client answers nothing instead.
        waits: field that says for how many seconds an answer may be kept back.
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

    @property
    def name(self) -> str:
        """What it is called in Python."""
        return self.function.__name__

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @property
    def answer(self) -> Any:
        """Type of what is answered."""
        answer = self._hints["return"]
        return None if answer is type(None) else answer

    @property
    def never_answers(self) -> bool:
        """Whether it refuses whatever is asked."""
        return self.answer is NoReturn

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """All parameters but `self`."""
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(self._argument(each.name, self._hints[each.name], each.default) for each in parameters)

    def at(self, *places: ParameterPlace) -> list[Argument]:
        """The parameters that travel there."""
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
            raise TypeError(f"{self.name}: where does {name} travel?")
        return ParameterPlace.QUERY

    @cached_property
    def summary(self) -> str:
        """The first paragraph of the docstring, without its last dot."""
        return _paragraphs(self.function)[0].rstrip(".")

    @cached_property
    def description(self) -> str:
        """The other paragraphs."""
        return "\n\n".join(_paragraphs(self.function)[1:])

    @cached_property
    def codes(self) -> Mapping[int, tuple[str, ...]]:
        """The codes that are declared, by HTTP status."""
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
) -> Callable[[F], F]:
    """Declare an operation; a service that inherits the declaration has to implement it.

    The arguments are the attributes of `Operation`.
    """

    def declare(function: F) -> F:
        declared = Operation(function, method, path, refuses, body, media, identifier, silent, waits)
        function.__operation__ = declared  # type: ignore[attr-defined]
        function.__isabstractmethod__ = True  # type: ignore[attr-defined]
        return function

    return declare


def operations_of(api: type) -> dict[str, Operation]:
    """The operations of an API by name, in the order of their declaration."""
    return {name: member.__operation__ for name, member in vars(api).items() if hasattr(member, "__operation__")}


def _paragraphs(function: Callable[..., Any]) -> list[str]:
    return [" ".join(part.split()) for part in (inspect.getdoc(function) or "").split("\n\n")]
