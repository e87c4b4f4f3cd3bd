"""The routes of the back office: who may call them, repeated calls, data and cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AwareDatetime
from starlette.responses import StreamingResponse
from typing_extensions import override

from portal.backend.api.routes import Answer, client_address, content_disposition, refusals
from portal.backend.backoffice import BackOffice, fingerprint
from portal.contract.errors import NotFound
from portal.contract.models import REFERENCE_FORM, Model
from portal.exports.api import CaseRecord, ChangedCases
from portal.exports.provider import cases
from portal.imports.api import SOURCE_FORM, Differences, ImportBatch, ImportReport, RejectedRecords, Settlement
from portal.imports.provider import differences, rejections
from portal.imports.provider.service import import_document, import_records, schema
from portal.imports.rules.records import RECORDS
from portal.kernel.days import local_day
from portal.kernel.validation import parsed_json
from portal.master_data.api import AnnouncedChange, Entry, LocationChange
from portal.master_data.provider import locations, prices
from portal.settings import Settings
from portal.vocabulary.cases import CaseKind

KEY_FORM = r"^[\x21-\x7e]{1,100}$"

_bearer = HTTPBearer(auto_error=False, scheme_name="back office", description="A key of `PORTAL_BACKOFFICE_KEY`.")


class BackOfficeRoute(APIRoute):
    """A route of the back office: it checks the key of the caller, and keeps to an idempotency key."""

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def admitted(request: Request) -> Response:
            office: BackOffice = request.app.state.back_office()
            credentials = await _bearer(request)
            address = client_address(request, request.app.state.settings)
            await office.admit(credentials.credentials if credentials else "", address)
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


router = APIRouter(prefix="/backoffice", tags=["back office"], route_class=BackOfficeRoute)

Reference = Annotated[str, Path(json_schema_extra={"pattern": f"^{REFERENCE_FORM}$"})]


@router.get(
    "/cases",
    operation_id="changed_cases",
    summary="Cases that changed since a moment, the oldest change first",
    responses=refusals(401, 422, 429),
)
async def list_changed(
    office: Office,
    since: Annotated[AwareDatetime | None, Query(description="ISO 8601 with its zone; without it all cases.")] = None,
    after: Annotated[str, Query(max_length=80, description="`next` of the answer before.")] = "",
) -> Answer[ChangedCases]:
    return Answer[ChangedCases](data=await cases.changed_since(office.context, since, after))


@router.get(
    "/cases/{kind}/{reference}",
    operation_id="whole_case",
    summary="One case: what the customer was told, amounts, files and history",
    responses=refusals(401, 404, 422, 429),
)
async def read_case(office: Office, kind: CaseKind, reference: Reference) -> Answer[CaseRecord]:
    return Answer[CaseRecord](data=await cases.whole(office.context, kind, reference))


@router.get(
    "/cases/{kind}/{reference}/files/{file_id}",
    operation_id="file_of_case",
    summary="The content of a file of a case",
    response_class=StreamingResponse,
    responses=refusals(401, 404, 422, 429),
)
async def read_file(
    office: Office, kind: CaseKind, reference: Reference, file_id: Annotated[str, Path(max_length=16)]
) -> StreamingResponse:
    found = await cases.file(office.context, kind, reference, file_id)
    headers = {"Content-Disposition": content_disposition(found.name)}
    return StreamingResponse(found.chunks, media_type=found.media_type, headers=headers)


Source = Annotated[str, Query(pattern=SOURCE_FORM)]


class Done(Model):
    """What was asked is done; doing it again changes nothing."""

    changed: bool


@router.get(
    "/imports/differences",
    operation_id="open_import_differences",
    summary="Fields that both the shop and the portal changed, and on which staff have not decided",
    responses=refusals(401, 422, 429),
)
async def list_differences(
    office: Office,
    source: Annotated[str, Query(pattern=f"^$|{SOURCE_FORM}")] = "",
    kind: Annotated[str, Query(max_length=40)] = "",
    after: Annotated[int, Query(ge=0)] = 0,
) -> Answer[Differences]:
    async with office.context.database.session() as session:
        return Answer[Differences](
            data=await differences.open_differences(session, source=source, kind=kind, after=after)
        )


@router.post(
    "/imports/differences/{difference_id}",
    operation_id="settle_import_difference",
    summary="Keep the value of the shop or that of the portal",
    responses=refusals(401, 404, 409, 422, 429),
)
async def settle_difference(office: ChangingOffice, difference_id: int, settlement: Settlement) -> Answer[Done]:
    async with office.context.database.transaction() as session:
        await differences.settle(office.context, session, difference_id, settlement.keep)
    return Answer[Done](data=Done(changed=True))


ImportKind = Annotated[str, Path(json_schema_extra={"enum": sorted(RECORDS)})]


@router.post(
    "/imports/{kind}",
    operation_id="import_records",
    summary="Store records of a shop; what did not change is skipped",
    responses=refusals(401, 404, 413, 422, 429),
)
async def store_records(office: ChangingOffice, kind: ImportKind, batch: ImportBatch) -> Answer[ImportReport]:
    """Store records. A record that cannot be stored is named in the report and stops no other."""
    return Answer[ImportReport](data=await import_records(office.context, kind, batch.source, batch.records))


@router.put(
    "/imports/{kind}/{external_id}",
    operation_id="import_record",
    summary="Store one record of a shop",
    responses=refusals(401, 404, 413, 422, 429),
)
async def store_record(
    office: ChangingOffice,
    kind: ImportKind,
    external_id: str,
    record: Annotated[dict[str, Any], Body()],
    source: Source,
) -> Answer[ImportReport]:
    """Store a record under the id in the path."""
    values = {**record, "external_id": external_id}
    return Answer[ImportReport](data=await import_records(office.context, kind, source, [values]))


@router.get(
    "/imports/{kind}/schema",
    operation_id="import_schema",
    summary="The JSON Schema of a kind of record",
    responses=refusals(401, 404, 429),
)
async def import_schema(_office: Office, kind: ImportKind) -> Answer[dict[str, Any]]:
    return Answer[dict[str, Any]](data=schema(kind))


@router.put(
    "/imports/invoices/{external_id}/document",
    operation_id="import_invoice_document",
    summary="Store the shop's own PDF of an invoice; it may come before the invoice",
    responses=refusals(401, 413, 422, 429),
    openapi_extra={"requestBody": {"required": True, "content": {"application/pdf": {}}}},
)
async def store_invoice_document(
    office: ChangingOffice, request: Request, external_id: Annotated[str, Path(max_length=100)], source: Source
) -> Answer[Done]:
    return Answer[Done](
        data=Done(changed=await import_document(office.context, source, external_id, await request.body()))
    )


@router.get(
    "/imports/rejected",
    operation_id="records_not_stored",
    summary="Records that could not be stored, also those whose PDF could not be fetched",
    responses=refusals(401, 422, 429),
)
async def list_rejected(
    office: Office,
    source: Annotated[str, Query(pattern=f"^$|{SOURCE_FORM}")] = "",
    after: Annotated[int, Query(ge=0)] = 0,
) -> Answer[RejectedRecords]:
    async with office.context.database.session() as session:
        return Answer[RejectedRecords](data=await rejections.rejected_records(session, source=source, after=after))


PriceKind = Annotated[str, Path(json_schema_extra={"enum": sorted(prices.PRICES)})]
OfShop = Annotated[str, Query(max_length=40, description="A further shop; empty for the common prices.")]


def check_shop(settings: Settings, shop: str) -> None:
    if shop and shop not in settings.shops:
        raise NotFound


@router.get(
    "/master-data/{kind}",
    operation_id="master_data",
    summary="Prices and numbers of a kind: earlier, current and announced",
    responses=refusals(401, 404, 429),
)
async def list_entries(office: Office, kind: PriceKind, shop: OfShop = "") -> Answer[list[Entry]]:
    check_shop(office.context.settings, shop)
    today = local_day(office.context.clock())
    async with office.context.database.session() as session:
        return Answer[list[Entry]](data=await prices.entries(session, kind, today, shop))


@router.put(
    "/master-data/{kind}",
    operation_id="announce_master_data",
    summary="Change a price or number from a day on",
    responses=refusals(401, 404, 413, 422, 429),
)
async def announce_entry(
    office: ChangingOffice, kind: PriceKind, values: Annotated[dict[str, Any], Body()], shop: OfShop = ""
) -> Answer[Entry]:
    check_shop(office.context.settings, shop)
    async with office.context.database.transaction() as session:
        entry = await prices.announce(session, kind, values, local_day(office.context.clock()), shop)
    return Answer[Entry](data=entry)


@router.delete(
    "/master-data/{kind}/{key}",
    operation_id="withdraw_master_data",
    summary="Take back a price or number that does not hold yet",
    responses=refusals(401, 404, 429),
)
async def withdraw_entry(office: ChangingOffice, kind: PriceKind, key: str, shop: OfShop = "") -> Answer[Done]:
    check_shop(office.context.settings, shop)
    async with office.context.database.transaction() as session:
        await prices.withdraw(session, kind, key, local_day(office.context.clock()), shop)
    return Answer[Done](data=Done(changed=True))


@router.get(
    "/locations/{location_id}/changes",
    operation_id="location_changes",
    summary="Waiting weeks, opening hours and vacations of a service location: made and announced changes",
    responses=refusals(401, 404, 429),
)
async def list_location_changes(office: Office, location_id: str) -> Answer[list[AnnouncedChange]]:
    async with office.context.database.session() as session:
        return Answer[list[AnnouncedChange]](data=await locations.changes(session, location_id))


@router.put(
    "/locations/{location_id}/changes",
    operation_id="change_location",
    summary="Change waiting weeks, opening hours or vacation of a service location from a day on",
    responses=refusals(401, 404, 413, 422, 429),
)
async def change_location(office: ChangingOffice, location_id: str, change: LocationChange) -> Answer[AnnouncedChange]:
    async with office.context.database.transaction() as session:
        announced = await locations.announce(office.context, session, location_id, change)
    return Answer[AnnouncedChange](data=announced)


@router.delete(
    "/locations/{location_id}/changes/{valid_from}",
    operation_id="withdraw_location_change",
    summary="Take back a change that was not made yet",
    responses=refusals(401, 404, 422, 429),
)
async def withdraw_location_change(office: ChangingOffice, location_id: str, valid_from: date) -> Answer[Done]:
    async with office.context.database.transaction() as session:
        await locations.withdraw(session, location_id, valid_from)
    return Answer[Done](data=Done(changed=True))
