"""Transitions of a return by the back office."""

from portal.backend.backoffice import TransitionRequest
from portal.returns.rules.settlement import ComputedSettlement
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import ReturnStatus
from tests.support.furnished import Furnished


async def move(shop: Furnished, reference: str, status: ReturnStatus, **fields: object) -> None:
    """Change the status, with further fields of the transition request."""
    await shop.application.back_office.move(
        "return", reference, TransitionRequest.model_validate({"status": status, **fields})
    )


async def receive_and_close(shop: Furnished, reference: str, **fields: object) -> None:
    """Receive a return, with further fields of the transition request, and close it."""
    await move(shop, reference, ReturnStatus.RECEIVED, **fields)
    await move(shop, reference, ReturnStatus.CLOSED)


async def stored(shop: Furnished, reference: str) -> ReturnRow:
    return await shop.one(ReturnRow, reference=reference)


async def settled(shop: Furnished, reference: str) -> ComputedSettlement:
    return ComputedSettlement.from_json((await stored(shop, reference)).settlement)
