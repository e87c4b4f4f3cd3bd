"""Routes of the back office that read cases."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import AwareDatetime
from starlette.responses import StreamingResponse

from portal.backend.api.routes import Answer, content_disposition, refusals
from portal.contract.models import REFERENCE_FORM
from portal.exports.api import CaseRecord, ChangedCases
from portal.exports.provider import cases
from portal.provider.admission import BackOfficeRoute, Office
from portal.vocabulary.cases import CaseKind

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
