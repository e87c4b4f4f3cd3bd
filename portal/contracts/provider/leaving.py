"""The end of service packages and insurances of bikes that left their customer."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.backoffice import Departed
from portal.backend.context import Context
from portal.contracts.provider.account import DEPENDENTS
from portal.contracts.provider.ends import end_with_bike
from portal.contracts.provider.queries import ContractQueries
from portal.vocabulary.departures import Effect, outcome


async def end_contracts(context: Context, session: AsyncSession, departed: Departed) -> None:
    """End the contracts of the bikes on the day on which they left."""
    contracts = ContractQueries(session, departed.customer_id)
    for bike_id in departed.bike_ids:
        for contract in await contracts.all(bike_id):
            dependent = DEPENDENTS[contract.kind]
            if outcome(departed.final, dependent).effect is Effect.ENDS:
                money = outcome(departed.departure, dependent).money
                await end_with_bike(context, session, contract, departed, money)
