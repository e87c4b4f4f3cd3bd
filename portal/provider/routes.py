"""The routes of the back office: who may call them, repeated calls, data and cases."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Coroutine
from datetime import date
from functools import wraps
from typing import Annotated, Any, TypeVar, get_type_hints

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AwareDatetime
from starlette.responses import StreamingResponse
from typing_extensions import override

from portal.backend.api.routes import Answer, client_address, content_disposition, refusals
from portal.backend.backoffice import BackOffice, CurrentStatus, Transition, TransitionRequest, fingerprint
from portal.contract.errors import NotFound
from portal.contract.models import REFERENCE_FORM, Model
from portal.exports.api import CaseRecord, ChangedCases
from portal.exports.provider import cases
from portal.imports.api import SOURCE_FORM, Differences, ImportBatch, ImportReport, RejectedRecords, Settlement
from portal.imports.provider import differences, rejections
from portal.imports.provider import service as imports
from portal.imports.rules.records import RECORDS
from portal.kernel.days import local_day
from portal.kernel.validation import parsed_json
from portal.master_data.api import AnnouncedChange, Entry, LocationChange
from portal.master_data.provider import locations, prices
from portal.provider.cases import STATUSES
from portal.recalls.provider import OwnerAnswer, Published, owner_answers, prepared, store_recall
from portal.recalls.rules import RecallNumbers
from portal.settings import Settings
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.exchange import ApiScope

F = TypeVar("F", bound=Callable[..., Coroutine[Any, Any, Any]])
KEY_FORM = r"^[\x21-\x7e]{1,100}$"

_bearer = HTTPBearer(auto_error=False, scheme_name="back office", description="A key of `api-key add`.")


_AREAS = {"imports": "imports", "master-data": "master-data", "locations": "master-data", "recalls": "recalls"}
"""Areas of the scopes, by the beginning of a path; all others are cases."""


class BackOfficeRoute(APIRoute):
    """A route of the back office: it checks the key of the caller, and keeps to an idempotency key."""

    @property
    def _scope(self) -> ApiScope:
        area = _AREAS.get(self.path.partition("/backoffice/")[2].partition("/")[0], "cases")
        return ApiScope(f"{area}:{'read' if 'GET' in (self.methods or ()) else 'write'}")

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def admitted(request: Request) -> Response:
            credentials = await _bearer(request)
            address = client_address(request, request.app.state.settings)
            shown = credentials.credentials if credentials else ""
            office: BackOffice = await request.app.state.back_office().admit(shown, self._scope, address)
            request.state.office = office
            key = request.headers.get("Idempotency-Key", "")
            # FastAPI refuses a malformed key.
            if request.method == "GET" or not re.fullmatch(KEY_FORM, key):
                return await handle(request)

            async def act(within: BackOffice) -> str:
                request.state.office = within
                return bytes((await handle(request)).body).decode()

            return Response(await office.once(key, await _asked(request), act), media_type="application/json")

        return admitted


async def _asked(request: Request) -> str:
    """Fingerprint of a call. Spaces and the order of the fields of its body do not count."""
    body = await request.body()
    try:
        content = parsed_json(body) if body else None
    except ValueError:
        content = body.decode("utf-8", "replace")
    return fingerprint(request.method, request.url.path, request.url.query, content)


async def _office(
    request: Request, _credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> BackOffice:
    return request.state.office


async def _changing(
    office: Annotated[BackOffice, Depends(_office)],
    _key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=KEY_FORM,
            description="Chosen by the caller. The same call with the same key changes nothing more, and gets the "
            "first answer.",
        ),
    ] = None,
) -> BackOffice:
    return office


Office = Annotated[BackOffice, Depends(_office)]
ChangingOffice = Annotated[BackOffice, Depends(_changing)]
"""The back office, for a call that reads; `ChangingOffice` for one that changes something."""


class Calls(APIRouter):
    """The calls of the back office."""

    def call(self, method: str, path: str, summary: str, *refused: int, **more: Any) -> Callable[[F], F]:
        """Declare a call, named by its function. The envelope is put around its answer."""

        def declare(act: F) -> F:
            hints = get_type_hints(act, include_extras=True)
            answer: Any = Answer[hints["return"]]

            @wraps(act)
            async def endpoint(**given: Any) -> Any:
                return answer(data=await act(**given))

            parameters = inspect.signature(act).parameters.values()
            # pyrefly: ignore[missing-attribute]  # functions take any attribute
            endpoint.__signature__ = inspect.Signature(
                [each.replace(annotation=hints[each.name]) for each in parameters]
            )
            self.add_api_route(
                path,
                endpoint,
                methods=[method],
                operation_id=act.__name__,
                summary=summary,
                responses=refusals(*sorted({401, 403, 429, *refused})),
                response_model=answer,
                **more,
            )
            return act

        return declare


router = Calls(prefix="/backoffice", tags=["back office"], route_class=BackOfficeRoute)

Reference = Annotated[str, Path(json_schema_extra={"pattern": f"^{REFERENCE_FORM}$"})]


@router.call("GET", "/cases", "Cases that changed since a moment, the oldest change first", 422)
async def changed_cases(
    office: Office,
    since: Annotated[AwareDatetime | None, Query(description="ISO 8601 with its zone; without it all cases.")] = None,
    after: Annotated[str, Query(max_length=80, description="`next` of the answer before.")] = "",
) -> ChangedCases:
    return await cases.changed_since(office.context, since, after)


@router.call(
    "GET", "/cases/{kind}/{reference}", "One case: what the customer was told, amounts, files and history", 404, 422
)
async def whole_case(office: Office, kind: CaseKind, reference: Reference) -> CaseRecord:
    return await cases.whole(office.context, kind, reference, office.caller)


@router.get(
    "/cases/{kind}/{reference}/files/{file_id}",
    operation_id="file_of_case",
    summary="The content of a file of a case",
    response_class=StreamingResponse,
    responses=refusals(401, 403, 404, 422, 429),
)
async def read_file(
    office: Office, kind: CaseKind, reference: Reference, file_id: Annotated[str, Path(max_length=16)]
) -> StreamingResponse:
    found = await cases.file(office.context, kind, reference, file_id, office.caller)
    headers = {"Content-Disposition": content_disposition(found.name)}
    return StreamingResponse(found.chunks, media_type=found.media_type, headers=headers)


Source = Annotated[str, Query(pattern=SOURCE_FORM)]


class Done(Model):
    """What was asked is done; doing it again changes nothing."""

    changed: bool


DONE = Done(changed=True)


@router.call(
    "GET",
    "/imports/differences",
    "Fields that both the shop and the portal changed, and on which staff have not decided",
    422,
)
async def open_import_differences(
    office: Office,
    source: Annotated[str, Query(pattern=f"^$|{SOURCE_FORM}")] = "",
    kind: Annotated[str, Query(max_length=40)] = "",
    after: Annotated[int, Query(ge=0)] = 0,
) -> Differences:
    async with office.context.database.session() as session:
        return await differences.open_differences(session, source=source, kind=kind, after=after)


@router.call(
    "POST", "/imports/differences/{difference_id}", "Keep the value of the shop or that of the portal", 404, 409, 422
)
async def settle_import_difference(office: ChangingOffice, difference_id: int, settlement: Settlement) -> Done:
    async with office.context.database.transaction() as session:
        await differences.settle(office.context, session, difference_id, settlement.keep)
    return DONE


ImportKind = Annotated[str, Path(json_schema_extra={"enum": sorted(RECORDS)})]


@router.call("POST", "/imports/{kind}", "Store records of a shop; what did not change is skipped", 404, 413, 422)
async def import_records(office: ChangingOffice, kind: ImportKind, batch: ImportBatch) -> ImportReport:
    """Store records. A record that cannot be stored is named in the report and stops no other."""
    return await imports.import_records(office.context, kind, batch.source, batch.records)


@router.call("PUT", "/imports/{kind}/{external_id}", "Store one record of a shop", 404, 413, 422)
async def import_record(
    office: ChangingOffice,
    kind: ImportKind,
    external_id: str,
    record: Annotated[dict[str, Any], Body()],
    source: Source,
) -> ImportReport:
    """Store a record under the id in the path."""
    return await imports.import_records(office.context, kind, source, [{**record, "external_id": external_id}])


@router.call("GET", "/imports/{kind}/schema", "The JSON Schema of a kind of record", 404)
async def import_schema(_office: Office, kind: ImportKind) -> dict[str, Any]:
    return imports.schema(kind)


@router.call(
    "PUT",
    "/imports/invoices/{external_id}/document",
    "Store the shop's own PDF of an invoice; it may come before the invoice",
    413,
    422,
    openapi_extra={"requestBody": {"required": True, "content": {"application/pdf": {}}}},
)
async def import_invoice_document(
    office: ChangingOffice, request: Request, external_id: Annotated[str, Path(max_length=100)], source: Source
) -> Done:
    return Done(changed=await imports.import_document(office.context, source, external_id, await request.body()))


@router.call(
    "GET", "/imports/rejected", "Records that could not be stored, also those whose PDF could not be fetched", 422
)
async def records_not_stored(
    office: Office,
    source: Annotated[str, Query(pattern=f"^$|{SOURCE_FORM}")] = "",
    after: Annotated[int, Query(ge=0)] = 0,
) -> RejectedRecords:
    async with office.context.database.session() as session:
        return await rejections.rejected_records(session, source=source, after=after)


PriceKind = Annotated[str, Path(json_schema_extra={"enum": sorted(prices.PRICES)})]
OfShop = Annotated[str, Query(max_length=40, description="A further shop; empty for the common prices.")]


def check_shop(settings: Settings, shop: str) -> None:
    if shop and shop not in settings.shops:
        raise NotFound


@router.call("GET", "/master-data/{kind}", "Prices and numbers of a kind: earlier, current and announced", 404)
async def master_data(office: Office, kind: PriceKind, shop: OfShop = "") -> list[Entry]:
    check_shop(office.context.settings, shop)
    async with office.context.database.session() as session:
        return await prices.entries(session, kind, local_day(office.context.clock()), shop)


@router.call("PUT", "/master-data/{kind}", "Change a price or number from a day on", 404, 413, 422)
async def announce_master_data(
    office: ChangingOffice, kind: PriceKind, values: Annotated[dict[str, Any], Body()], shop: OfShop = ""
) -> Entry:
    check_shop(office.context.settings, shop)
    async with office.context.database.transaction() as session:
        return await prices.announce(session, kind, values, local_day(office.context.clock()), shop)


@router.call("DELETE", "/master-data/{kind}/{key}", "Take back a price or number that does not hold yet", 404)
async def withdraw_master_data(office: ChangingOffice, kind: PriceKind, key: str, shop: OfShop = "") -> Done:
    check_shop(office.context.settings, shop)
    async with office.context.database.transaction() as session:
        await prices.withdraw(session, kind, key, local_day(office.context.clock()), shop)
    return DONE


_CHANGES = "/locations/{location_id}/changes"


@router.call(
    "GET", _CHANGES, "Waiting weeks, opening hours and vacations of a service location: made and announced changes", 404
)
async def location_changes(office: Office, location_id: str) -> list[AnnouncedChange]:
    async with office.context.database.session() as session:
        return await locations.changes(session, location_id)


@router.call(
    "PUT",
    _CHANGES,
    "Change waiting weeks, opening hours or vacation of a service location from a day on",
    404,
    413,
    422,
)
async def change_location(office: ChangingOffice, location_id: str, change: LocationChange) -> AnnouncedChange:
    async with office.context.database.transaction() as session:
        return await locations.announce(office.context, session, location_id, change)


@router.call("DELETE", _CHANGES + "/{valid_from}", "Take back a change that was not made yet", 404, 422)
async def withdraw_location_change(office: ChangingOffice, location_id: str, valid_from: date) -> Done:
    async with office.context.database.transaction() as session:
        await locations.withdraw(session, location_id, valid_from)
    return DONE


# Below the others, because a path such as /imports/differences also has the form of a case.
_NAMES = {f"{name}s": name for name in STATUSES}
Kind = Annotated[str, Path(json_schema_extra={"enum": sorted(_NAMES)})]


def _name(kind: str) -> str:
    if kind not in _NAMES:
        raise NotFound
    return _NAMES[kind]


@router.call("GET", "/{kind}/{reference}", "Where something stands, and where it may go from there", 404)
async def current_status(office: Office, kind: Kind, reference: Reference) -> CurrentStatus:
    return await office.current_status(_name(kind), reference)


@router.call("POST", "/{kind}/{reference}/status", "Move something along its graph", 404, 409, 413, 422)
async def move(office: ChangingOffice, kind: Kind, reference: Reference, transition: TransitionRequest) -> Transition:
    return await office.move(_name(kind), reference, transition)


@router.call(
    "POST", "/recalls", "Load a recall or add numbers to it; owners who were not warned yet are warned", 413, 422
)
async def publish_recall(office: ChangingOffice, recall: RecallNumbers) -> Published:
    picture = await prepared(office.context, recall.picture)
    async with office.context.database.transaction() as session:
        return await store_recall(office.context, session, recall, recall.by_kind, picture)


@router.call("GET", "/recalls/{code}/answers", "Who was warned of a recall, who confirmed it and what they chose", 404)
async def recall_answers(office: Office, code: str) -> list[OwnerAnswer]:
    """Return the answers, in the order of the warnings."""
    async with office.context.database.session() as session:
        answers = await owner_answers(session, code)
    if answers is None:
        raise NotFound
    return answers
