"""The customer's bikes."""

from __future__ import annotations

from typing import Protocol

from portal.contract.bikes import Bike, BikeSummary
from portal.contract.operations import Token, operation


class BikesApi(Protocol):
    """Which bikes the customer has."""

    @operation("GET", "/bikes")
    async def bikes(self, token: Token) -> list[BikeSummary]:
        """The customer's bikes, newest order first."""
        ...

    @operation("GET", "/bikes/{bike_id}")
    async def bike(self, token: Token, bike_id: str) -> Bike:
        """One bike."""
        ...
