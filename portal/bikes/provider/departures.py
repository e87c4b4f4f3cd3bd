"""What the accounts of requests say while their bike is on its way back."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.bikes.provider.queries import BikeQueries
from portal.contract.account import Account, LocalizedText
from portal.tables.bikes import BikeRow
from portal.vocabulary.departures import Departure, Dependent, Effect, outcome


async def departure_of_bike(session: AsyncSession, bike: BikeRow) -> Departure | None:
    """What happened to a bike; None if its customer has it and keeps it."""
    key = bike.id
    return (await BikeQueries(session, bike.customer_id).departures([key])).get(key)


def waiting(account: Account, departure: Departure | None, dependent: Dependent) -> Account:
    """The account of an open request: while its bike goes back, it says that it waits instead of what comes next."""
    cell = outcome(departure, dependent)
    if cell.effect is not Effect.WAITS:
        return account
    return account.model_copy(update={"meaning": LocalizedText.of(cell.customer), "next_steps": [], "handover": None})
