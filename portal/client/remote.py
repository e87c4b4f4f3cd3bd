"""HTTP clients of the APIs, derived from the declared operations."""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast

import annotated_types
import httpx
from pydantic import TypeAdapter

from portal.client import answers
from portal.client.answers import MAX_ANSWER_BYTES, MAX_DOCUMENT_BYTES, Reply
from portal.client.caller import Call, Caller, Limits
from portal.contract.common_api import MAX_WAIT_SECONDS
from portal.contract.errors import NotAuthenticated, NotFound, Unavailable
from portal.contract.models import (
    ADDRESS_HEADER,
    CHALLENGE_COOKIE,
    KEY_HEADER,
    PREFIX,
    REFERENCE_FORM,
    TOKEN_FORM,
    Content,
)
from portal.contract.operations import Argument, Operation, ParameterPlace, operations_of
from portal.contract.session import Origin, calling_from
from portal.kernel.codes import Code
from portal.logs import REQUEST_HEADER, request_id

T = TypeVar("T")

_CHALLENGE_FORM = r"[A-Za-z0-9._~-]{1,200}"
_ANYTHING = TypeAdapter[Any](Any)

Method = Callable[..., Awaitable[Any]]


def caused() -> dict[str, str]:
    request = request_id()
    return {REQUEST_HEADER: request} if request else {}


@dataclass(frozen=True, slots=True)
class Connection:
    caller: Caller
    waiting: Caller
    api_key: str

    async def known_form(self, operation: Operation, token: str, reference: str) -> str:
        """Check the form of an identifier before it becomes part of the path of an operation."""
        if not re.fullmatch(REFERENCE_FORM, reference):
            if not token:
                raise NotFound
            check = "/staff/session" if operation.right else "/session"
            call = Call(operation.name, "GET", check, token=bearer(token))
            answers.data(call.operation, await self.caller.send(call), _ANYTHING)
            raise NotFound
        return reference

    def headers(self, origin: Origin) -> dict[str, str]:
        headers: dict[str, str] = {"Accept-Language": origin.locale} if origin.locale else {}
        if origin.challenge and re.fullmatch(_CHALLENGE_FORM, origin.challenge):
            headers["Cookie"] = f"{CHALLENGE_COOKIE}={origin.challenge}"
        if self.api_key:
            headers |= {KEY_HEADER: self.api_key, ADDRESS_HEADER: origin.address}
        return headers

    def address(self) -> dict[str, str]:
        """Headers with the network address of the caller, which the audit keeps; none if it is not known."""
        address = calling_from.get()
        return {KEY_HEADER: self.api_key, ADDRESS_HEADER: address} if self.api_key and address else {}


def remote(api: type[T], connection: Connection) -> T:
    return cast(T, _remote_class(api)(connection))


@cache
def _remote_class(api: type) -> type:
    methods = {name: _method(operation) for name, operation in operations_of(api).items()}
    return type(f"Remote{api.__name__}", (_Remote,), {"__doc__": api.__doc__, **methods})


class _Remote:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection


class _Sender:
    """Sends one operation. Everything that does not depend on the arguments is computed once."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._token = _only(operation, ParameterPlace.TOKEN)
        self._origin = _only(operation, ParameterPlace.ORIGIN)
        self._stream = _only(operation, ParameterPlace.STREAM)
        self._body = _only(operation, ParameterPlace.BODY)
        self._query = _only(operation, ParameterPlace.QUERY_MODEL)
        self._in_path = tuple(each.name for each in operation.at(ParameterPlace.PATH))
        self._in_body = tuple(each.name for each in operation.at(ParameterPlace.BODY_FIELD))
        self._in_query = tuple((each.name, _limits(each)) for each in operation.at(ParameterPlace.QUERY))
        self._largest = MAX_DOCUMENT_BYTES if operation.media else MAX_ANSWER_BYTES

    async def send(self, connection: Connection, given: Mapping[str, Any]) -> Reply:
        operation, caller = self._operation, connection.caller
        token = bearer(given[self._token]) if self._token else None
        path = operation.path
        for name in self._in_path:
            asker = given[self._token] if self._token else ""
            path = path.replace("{" + name + "}", await connection.known_form(operation, asker, str(given[name])))
        call = Call(
            operation.name,
            operation.method,
            path,
            token=token,
            query=self._query_of(given),
            body=self._body_of(given),
            headers=(connection.headers(given[self._origin]) if self._origin else connection.address()) | caused(),
            largest=self._largest,
        )
        if self._stream:
            return await caller.pass_on(call)
        if operation.answer is Content:
            return await caller.open(call)
        if operation.waits and getattr(given[self._query], operation.waits):
            caller = connection.waiting
        return await caller.send(call)

    def _query_of(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._query:
            return given[self._query].model_dump(mode="json", exclude_none=True)
        return {name: _within(given[name], limits) for name, limits in self._in_query}

    def _body_of(self, given: Mapping[str, Any]) -> Any:
        if self._stream:
            return given[self._stream]
        if self._body:
            # Calls without a session follow the documented ones, which omit empty fields.
            return given[self._body].model_dump(mode="json", exclude_none=bool(self._origin))
        if self._in_body and self._operation.body:
            return self._operation.body(**{name: given[name] for name in self._in_body}).model_dump(mode="json")
        return None


def _method(operation: Operation) -> Method:
    signature, sender = inspect.signature(operation.function), _Sender(operation)

    @cache
    def reader() -> Callable[[Reply], Any]:
        # Made at the first call to save start-up time.
        return _reader(operation)

    async def call(self: _Remote, *values: Any, **named: Any) -> Any:
        bound = signature.bind(self, *values, **named)
        bound.apply_defaults()
        try:
            answer = reader()(await sender.send(self.connection, bound.arguments))
        except operation.silent:
            return None
        if operation.never_answers:
            # Success is not a valid answer here.
            raise Unavailable
        return answer

    call.__name__ = call.__qualname__ = operation.name
    call.__doc__ = operation.function.__doc__
    call.__signature__ = signature  # pyrefly: ignore[missing-attribute]  # functions take any attribute
    return call


def _reader(operation: Operation) -> Callable[[Reply], Any]:
    name, media = operation.name, operation.media
    if operation.answer is Content:
        return lambda reply: answers.content(name, reply)
    if media is not None:
        return lambda reply: answers.document(name, reply, media)
    if operation.answer is None or operation.never_answers:
        return lambda reply: answers.data(name, reply, _ANYTHING) and None
    model = TypeAdapter[Any](operation.answer)
    return lambda reply: answers.data(name, reply, model)


def _only(operation: Operation, place: ParameterPlace) -> str:
    return next((each.name for each in operation.at(place)), "")


def _limits(argument: Argument) -> tuple[int, int] | None:
    marks = argument.field.metadata if argument.field else ()
    least = next((mark.ge for mark in marks if isinstance(mark, annotated_types.Ge)), None)
    most = next((mark.le for mark in marks if isinstance(mark, annotated_types.Le)), None)
    return (int(str(least)), int(str(most))) if least is not None and most is not None else None


def _within(value: Any, limits: tuple[int, int] | None) -> Any:
    return str(min(max(value, limits[0]), limits[1])) if limits else value


def bearer(token: str) -> str:
    """The token, if it has a valid form."""
    if not re.fullmatch(TOKEN_FORM, token):
        raise NotAuthenticated(Code.SESSION_ENDED)
    return token


_PENDING = 2000
"""Connections for pages that wait for changes."""


class HttpProvider:
    """A provider that is reached over HTTP. Implements `portal.contract.registry.Provider`."""

    def __init__(
        self,
        api_root: str,
        *,
        api_key: str = "",
        limits: Limits | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        limits = limits or Limits()
        patient = replace(limits, total_seconds=limits.total_seconds + MAX_WAIT_SECONDS, connections=_PENDING)
        root, headers = api_root.rstrip("/") + PREFIX, {"Accept": "application/json, application/pdf, text/calendar"}
        self._caller = Caller(root, headers=headers, limits=limits, transport=transport)
        # Waiting requests hold a connection each, so they have a pool of their own.
        self._pending = Caller(root, headers=headers, limits=patient, transport=transport)
        self._connection = Connection(self._caller, self._pending, api_key)
        self._remote: dict[type, Any] = {}

    def ask(self, api: type[T]) -> T:
        if api not in self._remote:
            self._remote[api] = remote(api, self._connection)
        return cast(T, self._remote[api])

    async def close(self) -> None:
        await self._pending.close()
        await self._caller.close()
