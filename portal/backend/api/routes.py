"""Routes of the provider API, derived from the operations, with access and the response envelope (part-1 §7)."""

import inspect
import ipaddress
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, cast
from urllib.parse import quote

from fastapi import APIRouter, Body, Depends, Path, Query, Request
from fastapi import Response as FastapiResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic_core import PydanticUndefined
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response, StreamingResponse

from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.models import (
    ADDRESS_HEADER,
    CHALLENGE_COOKIE,
    KEY_HEADER,
    REFERENCE_FORM,
    TOKEN_FORM,
    Content,
    Document,
    ErrorDetails,
    Locale,
    Model,
)
from portal.contract.operations import Argument, Media, Operation, ParameterPlace, operations_of
from portal.contract.registry import Provider
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.kernel.ranges import content_range
from portal.settings import Settings

T = TypeVar("T")

_DESCRIPTIONS = {
    401: "No session, or it has ended.",
    403: "Well formed, but a rule says no.",
    404: "Not there, or not this customer's.",
    409: "Something else happened in between: it was changed elsewhere, or sent already.",
    413: "The body is larger than 64 KB.",
    422: "Not well formed; `details.fields` says where.",
    429: "A limit was reached; `details.retry_at` says when to try again.",
    500: "Something went wrong here.",
    503: "The answer cannot be made right now.",
}


class Answer(Model, Generic[T]):
    """The envelope of a successful response."""

    success: Literal[True] = True
    data: T
    error: None = None
    details: None = None


class Refusal(Model):
    """The envelope of an error response."""

    success: Literal[False] = False
    data: None = None
    error: Code
    details: ErrorDetails | None = None


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the refusals of an operation for the OpenAPI document. Every operation has 500 and 503."""
    return {status: {"model": Refusal, "description": _DESCRIPTIONS[status]} for status in (*statuses, 500, 503)}


def refuse(error: ProviderError, *, status: int | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """Build the response for an error."""
    details = None
    if error.fields or error.retry_at or error.url:
        retry_at = error.retry_at.isoformat() if error.retry_at else None
        details = ErrorDetails(fields=error.fields, retry_at=retry_at, url=error.url)
    status = error.status if status is None else status
    extra = dict(headers or {})
    if status == 401:
        extra["WWW-Authenticate"] = "Bearer"
    if error.retry_at:
        extra["Retry-After"] = str(max(1, round((error.retry_at - now()).total_seconds())))
    content = Refusal(error=error.code, details=details).model_dump(mode="json")
    return JSONResponse(content, status_code=status, headers=extra)


_bearer = HTTPBearer(
    auto_error=False, scheme_name="session", description="The `jwt` of `POST /authenticate`.", bearerFormat="JWT"
)

_staff_bearer = HTTPBearer(
    auto_error=False, scheme_name="staff session", description="The `token` of a login of staff."
)

_MAX_CHALLENGE_LENGTH = 200


async def _provider(request: Request) -> Provider:
    return request.app.state.provider()


async def _settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


async def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    """The bearer token of a customer. Only its form is checked here; the provider checks whether it is valid."""
    return _well_formed(credentials)


async def _staff_token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_staff_bearer)]) -> str:
    return _well_formed(credentials)


def _well_formed(credentials: HTTPAuthorizationCredentials | None) -> str:
    if credentials is None or not re.fullmatch(TOKEN_FORM, credentials.credentials):
        raise NotAuthenticated(Code.SESSION_ENDED)
    return credentials.credentials


ProviderDependency = Annotated[Provider, Depends(_provider)]
Options = Annotated[Settings, Depends(_settings)]
Token = Annotated[str, Depends(_token)]
StaffToken = Annotated[str, Depends(_staff_token)]

# The pattern is only documented: an unknown or malformed reference gives 404, and only after the session check.
Reference = Annotated[str, Path(json_schema_extra={"pattern": f"^{REFERENCE_FORM}$"})]


async def origin(request: Request, options: Options) -> Origin:
    """The client address, language and challenge of a login request."""
    return Origin(address=client_address(request, options), locale=language(request), challenge=challenge(request))


FromWhere = Annotated[Origin, Depends(origin)]


def client_address(request: Request, options: Settings) -> str:
    """The client's network address, which the limits count by.

    A forwarded address is trusted only if the portal sent it with the shared key, or if it was added by one of the
    configured number of proxies. Other clients could send any address.
    """
    peer = request.client.host if request.client else ""
    forwarded = [part.strip() for part in request.headers.get(ADDRESS_HEADER, "").split(",")]
    key = options.api_key.get_secret_value().encode()
    shown = request.headers.get(KEY_HEADER, "").encode("utf-8", "replace")
    if key and secrets.compare_digest(key, shown):
        return _address(forwarded[-1]) or peer
    hops = options.trusted_proxy_hops
    if hops and len(forwarded) >= hops:
        return _address(forwarded[-hops]) or peer
    return peer


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


def language(request: Request) -> Locale | None:
    """The first of our languages in Accept-Language; None if there is none."""
    accepted = re.findall(r"\b(nl|en)\b", request.headers.get("accept-language", "").lower())
    return cast(Locale, accepted[0]) if accepted else None


def challenge(request: Request) -> str | None:
    """The challenge from the browser's cookie; None if it is missing or too long."""
    value = request.cookies.get(CHALLENGE_COOKIE, "")
    return value if 0 < len(value) <= _MAX_CHALLENGE_LENGTH else None


Finish = Callable[[Any, FastapiResponse, Options], None]
_BINARY = {"type": "string", "format": "binary"}


def router_of(api: type, heading: str, finish: Mapping[str, Finish]) -> APIRouter:
    """Build the router of an API."""
    router = APIRouter(tags=[heading])
    by_route: dict[tuple[str, str], list[Operation]] = {}
    for each in operations_of(api).values():
        by_route.setdefault((each.method, each.path), []).append(each)
    for variants in by_route.values():
        _add(router, api, variants, finish)
    return router


def _add(router: APIRouter, api: type, variants: list[Operation], finish: Mapping[str, Finish]) -> None:
    """Add one route. Operations with the same method and path are variants, distinguished by the type of the body."""
    first = _answering(variants)
    # Only set for files: FastAPI serializes JSON faster without an explicit response class.
    more: dict[str, Any] = {"response_class": FastapiResponse} if first.media else {}
    router.add_api_route(
        first.path,
        _endpoint(api, variants, finish),
        methods=[first.method],
        operation_id=first.identifier or first.name,
        summary=first.summary,
        description=first.description,
        responses=_responses(variants),
        response_model=None if first.media else Answer[first.answer],
        openapi_extra=_streamed(first),
        **more,
    )


def _answering(variants: list[Operation]) -> Operation:
    return next(each for each in variants if not each.never_answers)


def _endpoint(api: type, variants: list[Operation], finish: Mapping[str, Finish]) -> Callable[..., Any]:
    first = _answering(variants)
    parameters = [_parameter("__provider", ProviderDependency)]
    parameters += [
        _parameter_of(each, variants) for each in first.arguments if each.place is not ParameterPlace.BODY_FIELD
    ]
    fields = [each.name for each in first.at(ParameterPlace.BODY_FIELD)]
    if fields:
        parameters.append(_parameter("__body", Annotated[first.body, Body()]))
    if any(each.name in finish for each in variants):
        parameters += [_parameter("__response", FastapiResponse), _parameter("__options", Options)]
    stream = next((each.name for each in first.at(ParameterPlace.STREAM)), "")
    # Maps the type of a shared body to the operation and the name of its body parameter.
    bodies = [(each, body) for each in variants for body in each.at(ParameterPlace.BODY)]
    by_type = {body.type: (each.name, body.name) for each, body in bodies}
    shared = first.at(ParameterPlace.BODY)[0].name if len(variants) > 1 else ""
    answered: Any = None if first.media else Answer[first.answer]
    media = first.media

    async def endpoint(**given: Any) -> Any:
        service = given.pop("__provider").ask(api)
        response, options = given.pop("__response", None), given.pop("__options", None)
        name = first.name
        if fields:
            body = given.pop("__body")
            given.update({field: getattr(body, field) for field in fields})
        if stream:
            given[stream] = _chunks(given[stream])
        if shared:
            body = given.pop(shared)
            name, parameter = by_type[type(body)]
            given[parameter] = body
        answer = await getattr(service, name)(**given)
        if name in finish:
            finish[name](answer, response, options)
        return _file(answer, media) if media else answered(data=answer)

    # FastAPI reads the parameters from the signature and uses the name in its log.
    # pyrefly: ignore[missing-attribute]  # functions take any attribute
    endpoint.__signature__ = inspect.Signature(parameters)
    endpoint.__name__ = first.name
    return endpoint


def _parameter_of(argument: Argument, variants: list[Operation]) -> inspect.Parameter:
    default = argument.default
    match argument.place:
        case ParameterPlace.TOKEN:
            kind: Any = StaffToken if variants[0].right else Token
        case ParameterPlace.ORIGIN:
            kind = FromWhere
        case ParameterPlace.PATH:
            kind = Reference
        case ParameterPlace.STREAM:
            kind = Request
        case ParameterPlace.BODY:
            types = tuple(each.at(ParameterPlace.BODY)[0].type for each in variants)
            # pyrefly: ignore[not-a-type]  # made at run time
            kind = Annotated[Union[types], Body()]  # noqa: UP007 - made at run time
        case ParameterPlace.QUERY_MODEL:
            # FastAPI takes the defaults of the fields.
            kind, default = Annotated[argument.type, Query()], inspect.Parameter.empty
        case _:
            field = argument.field
            if default is inspect.Parameter.empty and field and field.default is not PydanticUndefined:
                default = field.default
            description, limits = (field.description, field.metadata) if field else (None, [])
            kind = Annotated[argument.type, Query(description=description), *limits]
    return _parameter(argument.name, kind, default)


def _parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _responses(variants: list[Operation]) -> dict[int | str, dict[str, Any]]:
    first = _answering(variants)
    codes: dict[int, list[str]] = {}
    for status, names in ((status, names) for each in variants for status, names in each.codes.items()):
        known = codes.setdefault(status, [])
        known += [name for name in names if name not in known]
    for status, places in (
        (401, (ParameterPlace.TOKEN,)),
        (404, (ParameterPlace.PATH,)),
        (413, (ParameterPlace.BODY, ParameterPlace.BODY_FIELD, ParameterPlace.STREAM)),
        (422, (ParameterPlace.BODY, ParameterPlace.BODY_FIELD, ParameterPlace.QUERY, ParameterPlace.QUERY_MODEL)),
    ):
        if first.at(*places):
            codes.setdefault(status, [])
    if first.right:
        codes.setdefault(404, [])
    responses = refusals(*sorted(codes))
    for status, names in codes.items():
        if names:
            responses[status]["description"] += " Codes: " + ", ".join(f"`{name}`" for name in names) + "."
    if first.media:
        # OpenAPI has no format for text.
        schema = {"type": "string"} if first.media.media_type.startswith("text/") else _BINARY
        responses[200] = {"description": "The file.", "content": {first.media.media_type: {"schema": schema}}}
    return responses


def _streamed(operation: Operation) -> dict[str, Any] | None:
    if not operation.at(ParameterPlace.STREAM):
        return None
    return {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": _BINARY}}}}


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    """The chunks of the body as they arrive. Raises `InvalidInput`: `upload_failed`, the client disconnected."""
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except ClientDisconnect:
        raise InvalidInput(Code.UPLOAD_FAILED) from None


def _file(answer: Document | Content, media: Media) -> FastapiResponse:
    headers = {"Content-Disposition": content_disposition(answer.name)} if media.attached else {}
    if isinstance(answer, Content):
        if answer.size:
            headers["Content-Length"] = str(answer.length)
        status = 200
        if answer.part is not None:
            headers["Content-Range"] = content_range(answer.part, answer.size)
            status = 206 if answer.part.length else 416
        return StreamingResponse(answer.chunks, status, media_type=answer.media_type, headers=headers)
    return FastapiResponse(answer.content, media_type=answer.media_type, headers=headers)


def content_disposition(name: str) -> str:
    """The Content-Disposition header of a download (RFC 6266): an ASCII name for old clients and the full name."""
    plain = re.sub(r"[^A-Za-z0-9 ._-]", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
