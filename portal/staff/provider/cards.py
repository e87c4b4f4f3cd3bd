"""Customers as staff read them: what a search finds, and the card of one customer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, false, func
from sqlmodel import and_, col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.security import reader
from portal.backend.staff import StaffMember, named
from portal.contract.account import LocalizedText
from portal.kernel import validation
from portal.kernel.address import address_lines
from portal.kernel.texts import known_locale
from portal.kernel.validation import InvalidValue, search_words
from portal.login.provider.queries import to_customer
from portal.settings import Settings
from portal.staff.api import CustomerBike, CustomerCard, CustomerCase, FoundCustomer, ShopValue
from portal.staff.provider.reach import may_reveal
from portal.staff.provider.reveal import hidden_of_bike
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import DraftRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow
from portal.tables.orders import OrderRow
from portal.vocabulary.cases import status_label
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.exchange import Side

MOST_CASES = 50
"""Most cases on the card of a customer."""

_HOUSE = re.compile(r"([1-9][0-9]{3}\s?(?:[A-Za-z]{2})?)[\s,]+([0-9]{1,5})\b.*")


async def to_card(session: AsyncSession, row: CustomerRow, member: StaffMember, settings: Settings) -> CustomerCard:
    """The card of a customer, with order numbers, bikes, and the cases that a person may see, newest first."""
    orders = select(OrderRow.order_number).where(OrderRow.customer_id == row.id).order_by(col(OrderRow.id).desc())
    bikes = select(BikeRow).where(BikeRow.customer_id == row.id).order_by(col(BikeRow.id).desc())
    cases = select(CaseRow).where(member.visible_cases(), CaseRow.customer_id == row.id)
    newest = cases.order_by(col(CaseRow.opened_at).desc(), col(CaseRow.id).desc()).limit(MOST_CASES)
    customer = to_customer(row)
    revealable = select(BikeRow.id).where(BikeRow.customer_id == row.id, may_reveal(member))
    open_bikes = set(await session.exec(revealable))
    return CustomerCard(
        customer_id=row.public_id,
        first_name=customer.first_name,
        prefix=customer.prefix,
        last_name=customer.last_name,
        email=customer.email,
        address=customer.address,
        locale=known_locale(row.locale),
        orders=list(await session.exec(orders)),
        bikes=[to_bike(bike, hidden=bike.id in open_bikes) for bike in await session.exec(bikes)],
        cases=[
            CustomerCase(
                kind=case.kind,
                reference=case.reference,
                status_label=LocalizedText.of(status_label(case.kind, case.status)),
                opened_at=case.opened_at,
            )
            for case in await session.exec(newest)
        ],
        shop=settings.shop_name(row.source),
        shop_values=await shop_values(session, row),
    )


def to_bike(bike: BikeRow, *, hidden: bool = True) -> CustomerBike:
    """A bike on the card of its customer; with what is hidden of it, where the person may reveal something."""
    return CustomerBike(
        bike_id=bike.public_id,
        name=bike.name_in(reader()),
        frame_number=bike.frame_number or "",
        hidden=hidden_of_bike(bike) if hidden else [],
    )


def to_found(row: CustomerRow, order_number: str, shop: str) -> FoundCustomer:
    """A customer in the results of a search."""
    return FoundCustomer(
        customer_id=row.public_id,
        name=row.full_name,
        email=row.email,
        address=address_lines(row).joined,
        order_number=order_number,
        shop=shop,
    )


async def newest_orders(session: AsyncSession, rows: Sequence[CustomerRow]) -> dict[int, str]:
    query = (
        select(OrderRow.customer_id, OrderRow.order_number)
        .where(col(OrderRow.customer_id).in_([row.id for row in rows]))
        .order_by(col(OrderRow.ordered_at), col(OrderRow.id))
    )
    return {customer_id: number for customer_id, number in await session.exec(query) if customer_id is not None}


def matching(dialect: str, text: str) -> tuple[str, ColumnElement[bool]]:
    """What a search looks for, and the condition on `customers`."""
    if "@" in text:
        return "email", col(CustomerRow.email_key) == validation.email_key(text)
    if number := _valid(validation.order_number, text):
        return "order", _has(OrderRow.customer_id, OrderRow.order_number, number)
    if found := _HOUSE.fullmatch(text):
        plain = re.sub(r"\s", "", found[1]).upper()
        same = func.replace(CustomerRow.post_code, " ", "") == plain
        return "address", and_(same, col(CustomerRow.house_number) == found[2])
    # A name may look like a number, so names are always searched as well.
    found = named(dialect, words) if (words := search_words(text)) else []
    by = "name"
    if number := _valid(validation.frame_number, text):
        by = "frame number"
        found.append(_has(BikeRow.customer_id, BikeRow.frame_number, number))
    if validation.is_short_id(draft := re.sub(r"\s", "", text).upper()):
        found.append(_has(DraftRow.customer_id, DraftRow.public_id, draft))
    return by, or_(false(), *found)


def _has(owner: Any, column: Any, value: str) -> ColumnElement[bool]:
    """SQL condition: a row with this value belongs to the customer."""
    return col(CustomerRow.id).in_(select(owner).where(column == value))


def _valid(rule: Callable[[str], str], text: str) -> str:
    try:
        return rule(text)
    except InvalidValue:
        return ""


KIND = "customers"
"""Of the records that customers are imported from."""


async def shop_values(session: AsyncSession, row: CustomerRow) -> list[ShopValue]:
    """The fields of a customer that both sides changed, in the order of the page. What agrees by now is left out."""
    query = (
        select(ImportDifferenceRow)
        .join(ImportedRow, col(ImportedRow.id) == col(ImportDifferenceRow.imported_id))
        .where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id, col(ImportDifferenceRow.settled_at).is_(None))
    )
    said = {each.field: each.shop_value for each in await session.exec(query)}
    here = {name: str(getattr(row, name)) for name in CUSTOMER_LABELS}
    return [
        ShopValue(field=name, shop=said[name], portal=value)
        for name, value in here.items()
        if said.get(name, value) != value
    ]


async def decide(session: AsyncSession, row: CustomerRow, fields: Collection[str]) -> None:
    """Settle the differences of fields that staff have just corrected: what they entered holds."""
    records = select(ImportedRow.id).where(ImportedRow.kind == KIND, ImportedRow.row_id == row.id)
    for name in fields:
        value = str(getattr(row, name))
        this = update(ImportDifferenceRow).where(
            col(ImportDifferenceRow.imported_id).in_(records),
            col(ImportDifferenceRow.field) == name,
            col(ImportDifferenceRow.settled_at).is_(None),
        )
        same = col(ImportDifferenceRow.shop_value) == value
        for condition, kept in ((same, Side.SHOP), (~same, Side.PORTAL)):
            await session.exec(this.where(condition).values(kept=kept, settled_at=row.updated_at))
