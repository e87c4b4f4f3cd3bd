"""Several subjects together: the dashboard, and everything about one bike."""

from __future__ import annotations

from typing import Protocol

from portal.contract.account import Dashboard
from portal.contract.bike_home import BikeHome, MileageEntry
from portal.contract.errors import InvalidInput
from portal.contract.operations import Refusal, Token, operation
from portal.domain.codes import Code


class OverviewApi(Protocol):
    """What is going on, for the customer and for one bike."""

    @operation("GET", "/dashboard")
    async def dashboard(self, token: Token) -> Dashboard:
        """What is going on and what can be started."""
        ...

    @operation("GET", "/bikes/{bike_id}/home")
    async def bike_home(self, token: Token, bike_id: str) -> BikeHome:
        """Everything about a bike."""
        ...

    @operation(
        "POST",
        "/bikes/{bike_id}/mileage",
        refuses=(Refusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER, Code.MILEAGE_LOWER),),
    )
    async def enter_mileage(self, token: Token, bike_id: str, entry: MileageEntry) -> BikeHome:
        """Keep what the odometer says.

        What is refused is about the field `mileage`.
        """
        ...
