"""What the back office does with a return."""

from __future__ import annotations

from portal.backend.backoffice import TransitionRequest
from portal.vocabulary.returns import ReturnStatus
from tests.support.furnished import Furnished


async def move(shop: Furnished, reference: str, status: ReturnStatus, **wish: object) -> None:
    """Let it have a status, as a clerk does."""
    await shop.application.back_office.move(
        "return", reference, TransitionRequest.model_validate({"status": status, **wish})
    )


async def through(shop: Furnished, reference: str, **wish: object) -> None:
    """Let it arrive and be done with."""
    await move(shop, reference, ReturnStatus.RECEIVED, **wish)
    await move(shop, reference, ReturnStatus.CLOSED)
