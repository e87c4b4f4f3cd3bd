"""The routes of an API, derived from what the contract declares about its operations."""

from __future__ import annotations

import inspect
import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Annotated, Any, Union
from urllib.parse import quote

from fastapi import APIRouter, Body, Query, Request, Response
from pydantic_core import PydanticUndefined
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from portal.contract.base import Document
from portal.contract.errors import InvalidInput
from portal.contract.operations import Argument, Media, Operation, Place, operations_of
from portal.contract.uploads import Content
from portal.domain.codes import Code
from portal.provider.api import access
from portal.provider.api.envelope import Answer, refusals

Finish = Callable[[Any, Response, access.Options], None]
"""What else is done to a good answer, such as setting a cookie."""
_BINARY = {"type": "string", "format": "binary"}


def router_of(api: type, heading: str, finish: Mapping[str, Finish]) -> APIRouter:
    """The routes of an API.

    Args:
        api: declares the operations.
        heading: under which the description of the API lists them.
        finish: by the name of an operation, what else is done to its answer.
    """
    router = APIRouter(tags=[heading])
    by_route: dict[tuple[str, str], list[Operation]] = {}
    for each in operations_of(api).values():
        by_route.setdefault((each.method, each.path), []).append(each)
    for variants in by_route.values():
        _add(router, api, variants, finish)
    return router


def _add(router: APIRouter, api: type, variants: list[Operation], finish: Mapping[str, Finish]) -> None:
    """Add one route. Operations share it as variants when the type of the body tells them apart."""
    first = _answering(variants)
    # Only where it is a file: the framework writes JSON faster when nothing is said.
    more: dict[str, Any] = {"response_class": Response} if first.media else {}
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
    """The variant that does not always refuse."""
    return next(each for each in variants if not each.never_answers)


def _endpoint(api: type, variants: list[Operation], finish: Mapping[str, Finish]) -> Callable[..., Any]:
    """What FastAPI calls: a function with the signature that FastAPI has to see."""
    first = _answering(variants)
    parameters = [_parameter("__provider", access.Services)]
    parameters += [_parameter_of(each, variants) for each in first.arguments if each.place is not Place.BODY_FIELD]
    fields = [each.name for each in first.at(Place.BODY_FIELD)]
    if fields:
        parameters.append(_parameter("__body", Annotated[first.body, Body()]))
    if any(each.name in finish for each in variants):
        parameters += [_parameter("__response", Response), _parameter("__options", access.Options)]
    stream = next((each.name for each in first.at(Place.STREAM)), "")
    # By the type of a shared body: the operation, and what the body is called there.
    bodies = [(each, body) for each in variants for body in each.at(Place.BODY)]
    by_type = {body.type: (each.name, body.name) for each, body in bodies}
    shared = first.at(Place.BODY)[0].name if len(variants) > 1 else ""
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

    # FastAPI reads the signature, and the name for its log.
    endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    endpoint.__name__ = first.name
    return endpoint


def _parameter_of(argument: Argument, variants: list[Operation]) -> inspect.Parameter:
    """A parameter as FastAPI is to read it."""
    default = argument.default
    match argument.place:
        case Place.TOKEN:
            kind: Any = access.Token
        case Place.ORIGIN:
            kind = access.FromWhere
        case Place.PATH:
            kind = access.Reference
        case Place.STREAM:
            kind = Request
        case Place.BODY:
            types = tuple(each.at(Place.BODY)[0].type for each in variants)
            kind = Annotated[Union[types], Body()]  # noqa: UP007 - made at run time
        case Place.QUERY_MODEL:
            kind = Annotated[argument.type, Query()]
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
    """All refusals, with the codes that are declared; and the file, where one is answered."""
    first = _answering(variants)
    codes: dict[int, list[str]] = {}
    for status, names in ((status, names) for each in variants for status, names in each.codes.items()):
        known = codes.setdefault(status, [])
        known += [name for name in names if name not in known]
    for status, places in (
        (401, (Place.TOKEN,)),
        (404, (Place.PATH,)),
        (413, (Place.BODY, Place.BODY_FIELD, Place.STREAM)),
        (422, (Place.BODY, Place.BODY_FIELD, Place.QUERY, Place.QUERY_MODEL)),
    ):
        if first.at(*places):
            codes.setdefault(status, [])
    responses = refusals(*sorted(codes))
    for status, names in codes.items():
        if names:
            responses[status]["description"] += " Codes: " + ", ".join(f"`{name}`" for name in names) + "."
    if first.media:
        # A text has no format in OpenAPI.
        schema = {"type": "string"} if first.media.media_type.startswith("text/") else _BINARY
        responses[200] = {"description": "The file.", "content": {first.media.media_type: {"schema": schema}}}
    return responses


def _streamed(operation: Operation) -> dict[str, Any] | None:
    if not operation.at(Place.STREAM):
        return None
    return {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": _BINARY}}}}


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives.

    Raises:
        InvalidInput: `upload_failed`, it broke off.
    """
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except ClientDisconnect:
        raise InvalidInput(Code.UPLOAD_FAILED) from None


def _file(answer: Document | Content, media: Media) -> Response:
    headers = {"Content-Disposition": content_disposition(answer.name)} if media.attached else {}
    if isinstance(answer, Content):
        headers["Content-Length"] = str(answer.size)
        return StreamingResponse(answer.chunks, media_type=answer.media_type, headers=headers)
    return Response(answer.content, media_type=answer.media_type, headers=headers)


def content_disposition(name: str) -> str:
    """Name a download (RFC 6266): plain letters for old clients, the whole name beside it."""
    plain = re.sub(r"[^A-Za-z0-9 ._-]", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
