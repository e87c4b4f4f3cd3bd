"""The API of the back office, under `/mijn-fw/v2/backoffice`. Without a key in the settings it is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from portal.contract.errors import NotFound
from portal.contract.http import REFERENCE_FORM
from portal.provider.api.access import Options, client_address
from portal.provider.api.envelope import Answer, refusals
from portal.provider.backoffice.movables import MOVABLES
from portal.provider.backoffice.moves import Moved, Standing, Wish
from portal.provider.backoffice.office import BackOffice

KEY_FORM = r"^[\x21-\x7e]{1,100}$"
_NAMES = {f"{movable.name}s": movable.name for movable in MOVABLES}
_bearer = HTTPBearer(auto_error=False, scheme_name="back office", description="A key of `PORTAL_BACKOFFICE_KEY`.")


async def _admitted(
    request: Request,
    options: Options,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> BackOffice:
    find: Callable[[], BackOffice] = request.app.state.back_office
    office = find()
    await office.admit(credentials.credentials if credentials else "", client_address(request, options))
    return office


Office = Annotated[BackOffice, Depends(_admitted)]
Kind = Annotated[str, Path(json_schema_extra={"enum": sorted(_NAMES)})]
Reference = Annotated[str, Path(json_schema_extra={"pattern": f"^{REFERENCE_FORM}$"})]
Key = Annotated[str | None, Header(alias="Idempotency-Key", pattern=KEY_FORM)]

router = APIRouter(prefix="/backoffice", tags=["back office"])


@router.get(
    "/{kind}/{reference}",
    operation_id="stand",
    summary="Where something stands, and where it may go from there",
    responses=refusals(401, 404, 429),
)
async def stand(office: Office, kind: Kind, reference: Reference) -> Answer[Standing]:
    """Tell a status."""
    return Answer[Standing](data=await office.stand(_name(kind), reference))


@router.post(
    "/{kind}/{reference}/status",
    operation_id="move",
    summary="Move something along its graph; with the same key again, nothing more happens",
    responses=refusals(401, 404, 409, 413, 422, 429),
)
async def move(office: Office, kind: Kind, reference: Reference, wish: Wish, key: Key = None) -> Answer[Moved]:
    """Move something."""
    return Answer[Moved](data=await office.move(_name(kind), reference, wish, key or ""))


def _name(kind: str) -> str:
    if kind not in _NAMES:
        raise NotFound
    return _NAMES[kind]
