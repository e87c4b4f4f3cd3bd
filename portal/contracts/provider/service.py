"""The service of contracts: what runs, its end by customers and guests, and the case of staff."""

from collections.abc import Container, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.backoffice import known_reference
from portal.backend.bike_names import bike_in_full
from portal.backend.context import Context
from portal.backend.security import reader, shown_email
from portal.backend.sessions import Service, Sessions
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, NotFound, Refused
from portal.contract.session import Origin
from portal.contracts.api import (
    Contract,
    ContractEnd,
    ContractsApi,
    DeclaredEnd,
    EndEntry,
    FoundContract,
    GuestContract,
    GuestEnd,
)
from portal.contracts.provider import ends
from portal.contracts.provider.account import end_account, offer_account
from portal.contracts.provider.ends import ENDS, can_take_back, ending_of
from portal.contracts.provider.queries import ContractQueries, TakenOut
from portal.contracts.rules import withdraw_until
from portal.conversations.provider.queries import asked_account, asked_of
from portal.declarations.provider import declarant, declared_email
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_reference
from portal.login.provider.codes import LoginLimits
from portal.login.provider.queries import of_shop
from portal.settings import Settings
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.vocabulary.contracts import (
    BINDING,
    CONTRACT_KIND_NAMES,
    END_KIND_NAMES,
    EndStatus,
)


class ContractsService(Service, ContractsApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._limits = LoginLimits(context.settings)

    @override
    async def contracts(self, token: str) -> list[Contract]:
        now = self._context.clock()
        async with self._sessions.reading(token) as (owner, session):
            found = await ContractQueries(session, owner.customer_id).all()
            asked = await asked_of(session, owner.customer_id)
            mapped = [contract(entry, now, self._context.settings, asked=asked) for entry in found]
        return sorted(mapped, key=lambda entry: not entry.running)

    @override
    async def contract(self, token: str, reference: str) -> Contract:
        async with self._sessions.reading(token) as (owner, session):
            return await self._contract(session, owner.customer_id, known_reference(reference))

    @override
    async def end_contract(self, token: str, reference: str, entry: EndEntry) -> Contract:
        owner = await self._sessions.owner(token)
        declared = _declared(entry, guest=False)
        async with self._context.database.transaction() as session:
            await ends.declare(self._context, session, owner.customer_id, known_reference(reference), declared)
            return await self._contract(session, owner.customer_id, reference)

    @override
    async def confirm_end(self, token: str, reference: str) -> Contract:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            await ends.confirm(self._context, session, await _declared_end(session, owner.customer_id, reference))
            return await self._contract(session, owner.customer_id, reference)

    @override
    async def take_back_end(self, token: str, reference: str) -> Contract:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            await ends.take_back(self._context, session, await _declared_end(session, owner.customer_id, reference))
            return await self._contract(session, owner.customer_id, reference)

    @override
    async def guest_contract(self, entry: GuestContract, origin: Origin) -> FoundContract:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            found = await self._guest(session, entry, origin)
            if found:
                ending = ending_of(found, now, self._context.settings)
                return FoundContract(
                    reference=found.reference,
                    kind=found.kind,
                    product=found.product,
                    bike=bike_in_full(found.bike, origin.locale or reader()),
                    offered=ending.kind,
                    withdraw_until=withdraw_until(found.concluded_on, found.withdrawal_days),
                    ends_on=ending.ends_on,
                )
        raise Refused(Code.CONTRACT_NOT_FOUND)

    @override
    async def guest_end(self, entry: GuestEnd, origin: Origin) -> DeclaredEnd:
        declared = _declared(entry, guest=True)
        async with self._context.database.transaction() as session:
            found = await self._guest(session, entry, origin)
            if found:
                row = await ends.declare(self._context, session, found.row.customer_id, found.reference, declared)
                return DeclaredEnd(
                    reference=row.reference,
                    ending=row.ending,
                    account=end_account(found, row, self._context.settings),
                    received_at=row.received_at,
                    email=row.email,
                )
        raise Refused(Code.CONTRACT_NOT_FOUND)

    async def _contract(self, session: AsyncSession, customer_id: int, reference: str) -> Contract:
        found = await ContractQueries(session, customer_id).get(reference, pictured=True)
        asked = await asked_of(session, customer_id)
        return contract(found, self._context.clock(), self._context.settings, asked=asked)

    async def _guest(self, session: AsyncSession, entry: GuestContract, origin: Origin) -> TakenOut | None:
        """The running contract with this reference and e-mail address; `None` when there is none.

        Every attempt counts against the limit of the client address.
        """
        address = declared_email(entry.email)
        now, limit = self._context.clock(), self._limits.of_address(origin.address)
        await limits.enforce(session, limit, now, self._settings, address=origin.address)
        reference = entry.reference.replace(" ", "").upper()
        if not is_reference(reference):
            return None
        query = select(CustomerRow.id).where(
            CustomerRow.email_key == validation.email_key(address), of_shop(self._settings)
        )
        for customer_id in await session.exec(query):
            try:
                found = await ContractQueries(session, customer_id or 0).get(reference)
            except NotFound:
                continue
            return None if found.is_ending else found
        return None


def contract(found: TakenOut, now: datetime, settings: Settings, *, asked: Container[str]) -> Contract:
    """Map a contract; `asked` has the references that wait for an answer."""
    row = found.end
    offered = None if found.is_ending else ending_of(found, now, settings)
    return Contract(
        reference=found.reference,
        kind=found.kind,
        product=found.product,
        bike_id=found.bike.public_id,
        bike=found.bike.name_in(reader()),
        picture=found.picture,
        frame_number=found.bike.frame_number or "",
        monthly=found.monthly,
        since=found.starts_on,
        withdraw_until=withdraw_until(found.concluded_on, found.withdrawal_days),
        policy_number=found.policy_number,
        running=found.runs(local_day(now)),
        offer=offer_account(found, offered, settings) if offered else None,
        offered=offered.kind if offered else None,
        offered_end=offered.ends_on if offered else None,
        end=_end(found, row, settings, asked=row.reference in asked) if row else None,
    )


def _end(found: TakenOut, row: ContractEndRow, settings: Settings, *, asked: bool) -> ContractEnd:
    return ContractEnd(
        reference=row.reference,
        kind=row.ending,
        status=row.status,
        account=asked_account(end_account(found, row, settings), asked=asked),
        ends_on=row.ends_on,
        received_at=row.received_at,
        confirmed_at=row.confirmed_at if row.status in BINDING else None,
        processed_at=row.processed_at if row.status is EndStatus.PROCESSED else None,
        email=shown_email(row.email),
        can_take_back=can_take_back(row),
        asked=asked,
    )


def _declared(entry: EndEntry, *, guest: bool) -> ends.EndDeclared:
    return ends.EndDeclared(name=declarant(entry.name), seen=entry.ending, key=entry.key, guest=guest)


async def _declared_end(session: AsyncSession, customer_id: int, reference: str) -> ContractEndRow:
    row = (await ContractQueries(session, customer_id).get(known_reference(reference), lock=True)).end
    if row is None:
        raise Conflict(Code.STATUS_CHANGED)
    await session.refresh(row, with_for_update=True)
    return row


LINK_HANDLER = ENDS.link_handler(ends.confirm, ends.take_back)
CONTRACT_END = ENDS.back_office(
    "contract-end",
    {EndStatus.CONFIRMED: ends.confirm, EndStatus.PROCESSED: ends.process, EndStatus.TAKEN_BACK: ends.take_back},
)


async def _described(session: AsyncSession, rows: Sequence[ContractEndRow]) -> dict[str, dict[str, Any]]:
    bikes: dict[str, BikeRow] = {}
    for table in (PackageOrderRow, InsuranceRequestRow):
        query = (
            select(table.reference, BikeRow)
            .join(BikeRow, col(BikeRow.id) == table.bike_id)
            .where(col(table.reference).in_([row.contract for row in rows]))
        )
        bikes |= {contract: bike for contract, bike in await session.exec(query)}
    return {row.reference: _line(row, bikes.get(row.contract)) for row in rows}


def _line(row: ContractEndRow, bike: BikeRow | None) -> dict[str, Any]:
    ending, kind = LocalizedText.of(END_KIND_NAMES[row.ending]), LocalizedText.of(CONTRACT_KIND_NAMES[row.kind])
    return {
        "what": LocalizedText.each(lambda locale: f"{ending.text(locale)}: {kind.text(locale)}"),
        "item": bike_in_full(bike, reader()) if bike else "",
        "bike_id": bike.id if bike else None,
        "planned": row.ends_on,
    }


def of_bike(bike: BikeRow) -> Any:
    contracts = [
        select(table.reference).where(table.bike_id == bike.id) for table in (PackageOrderRow, InsuranceRequestRow)
    ]
    return select(ContractEndRow.reference).where(or_(*[col(ContractEndRow.contract).in_(each) for each in contracts]))


CONTRACT_END_CASES = ENDS.cases(CONTRACT_END, _described, of_bike)
