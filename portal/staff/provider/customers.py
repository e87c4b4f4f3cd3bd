"""Finding a customer, and opening the customers' site as staff: to look along, or in the customer's name."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import func
from sqlmodel import and_, col, select
from typing_extensions import override

from portal.backend import security
from portal.backend.database import PagePosition
from portal.backend.security import Purpose, keyed_hash
from portal.backend.staff import write_audit
from portal.contract.models import PAGE_SIZE, Page
from portal.contract.session import VISIT_PATH
from portal.kernel.codes import Code
from portal.staff.api import CustomerCard, CustomersApi, CustomerSearch, FoundCustomer, VisitEntry, VisitLink
from portal.staff.provider.base import refuse_field
from portal.staff.provider.cards import matching, newest_orders, to_card, to_found
from portal.staff.provider.corrections import CorrectionsService
from portal.staff.provider.reach import SHOWN
from portal.tables.customers import CustomerRow
from portal.tables.staff import CustomerVisitRow
from portal.vocabulary.audit import AuditAction

LEAST = 3
"""Characters of the shortest search."""

LINK_SECONDS = 120
"""How long the link to the customers' site works; it is opened at once."""


class CustomersService(CorrectionsService):
    """All operations of `CustomersApi`; this class adds the search and visits."""

    @override
    async def find_customers(self, token: str, search: CustomerSearch) -> Page[FoundCustomer]:
        async with self._staff.changing(token, CustomersApi.find_customers) as (member, session):
            text = " ".join(search.text.split())
            if len(text) < LEAST:
                raise refuse_field("text", Code.TOO_SHORT if text else Code.REQUIRED)
            by, found = matching(session.get_bind().dialect.name, text)
            found = and_(found, col(CustomerRow.erased_at).is_(None))
            total = (await session.exec(select(func.count()).select_from(CustomerRow).where(found))).one()
            place = PagePosition.of(search.page, total)
            names = (col(CustomerRow.last_name_key), col(CustomerRow.first_name_key), col(CustomerRow.id))
            query = select(CustomerRow).where(found).order_by(*names).offset(place.offset).limit(PAGE_SIZE)
            rows = (await session.exec(query)).all()
            orders = await newest_orders(session, rows)
            searched = keyed_hash(self._settings, Purpose.LOG, "customer search", text.casefold())[:16]
            details = {"by": by, "searched": searched, "found": total, SHOWN: [row.public_id for row in rows]}
            await write_audit(session, member, AuditAction.FIND_CUSTOMERS, "customer", details=details)
        return Page(
            items=[to_found(row, orders.get(row.id, ""), self._settings.shop_name(row.source)) for row in rows],
            page=place.page,
            pages=place.pages,
            total=place.total,
        )

    @override
    async def customer_card(self, token: str, customer_id: str) -> CustomerCard:
        async with self._staff.changing(token, CustomersApi.customer_card) as (member, session):
            row = await self._customer(session, member, customer_id, CustomersApi.customer_card)
            await write_audit(session, member, AuditAction.CUSTOMER_CARD, "customer", row.public_id)
            return await to_card(session, row, member, self._settings)

    @override
    async def visit_customer(self, token: str, customer_id: str, entry: VisitEntry) -> VisitLink:
        async with self._staff.changing(token, CustomersApi.visit_customer) as (member, session):
            row = await self._customer(session, member, customer_id, CustomersApi.visit_customer)
            link, expires_at = security.new_challenge(), member.called_at + timedelta(seconds=LINK_SECONDS)
            session.add(
                CustomerVisitRow(
                    link_hash=security.challenge_hash(link),
                    staff_id=member.id,
                    customer_id=row.id,
                    mode=entry.mode,
                    created_at=member.called_at,
                    expires_at=expires_at,
                )
            )
            details = {"mode": entry.mode.value}
            await write_audit(session, member, AuditAction.VISIT_CUSTOMER, "customer", row.public_id, details=details)
            site = self._settings.of(row.source).address
        return VisitLink(url=f"{site}{VISIT_PATH}/{link}", expires_at=expires_at)
