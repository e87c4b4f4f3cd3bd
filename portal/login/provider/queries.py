"""Queries on customers, login codes, changes of the e-mail address, passwords and sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, true
from sqlalchemy import update as sqlalchemy_update
from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.database import CUSTOMER, find_one
from portal.backend.sessions import Owner
from portal.contract.session import Customer, CustomerAddress, LoginOrder, UserData
from portal.kernel.address import Country, address_parts
from portal.kernel.texts import Locale, known_locale
from portal.links.provider import Addressee
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.columns import insert_into
from portal.tables.customers import CustomerRow, LoginChallenge, PasswordRow, SessionRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.search import write_search_texts
from portal.tables.staff import CustomerVisitRow, StaffRow
from portal.vocabulary.actions import Feature


@dataclass(frozen=True, slots=True)
class LoginAccount:
    customer_id: int
    email: str
    order_number: str
    country: Country
    is_lease: bool
    locale: Locale


_ACCOUNT = select(CustomerRow.id, CustomerRow.email, CustomerRow.locale, OrderRow).join(
    CustomerRow, col(CustomerRow.id) == OrderRow.customer_id
)


def _account(row: tuple[int | None, str, str, OrderRow] | None) -> LoginAccount | None:
    if row is None:
        return None
    customer_id, email, locale, order = row
    if customer_id is None:
        return None
    return LoginAccount(
        customer_id, email, order.order_number, order.country_code, order.is_lease, known_locale(locale)
    )


def of_shop(settings: Settings) -> ColumnElement[bool]:
    """SQL condition: a customer of the shop whose pages this process serves."""
    source = col(CustomerRow.source)
    if settings.shop:
        return source == settings.shop
    return source.not_in(sorted(settings.shops)) if settings.shops else true()


async def by_pair(session: AsyncSession, settings: Settings, order_number: str, email_key: str) -> LoginAccount | None:
    query = _ACCOUNT.where(
        col(OrderRow.order_number) == order_number, col(CustomerRow.email_key) == email_key, of_shop(settings)
    )
    return _account((await session.exec(query)).first())


async def by_address(session: AsyncSession, settings: Settings, email_key: str) -> LoginAccount | None:
    """Find the customer of the shop with this e-mail address, with the newest order that is valid for login here."""
    return await _newest(session, settings, col(CustomerRow.email_key) == email_key)


async def account_of(
    session: AsyncSession, settings: Settings, order_number: str | None, email_key: str
) -> LoginAccount | None:
    if order_number is None:
        return await by_address(session, settings, email_key)
    return await by_pair(session, settings, order_number, email_key)


async def by_customer(session: AsyncSession, settings: Settings, customer_id: int) -> LoginAccount | None:
    return await _newest(session, settings, col(CustomerRow.id) == customer_id)


async def _newest(session: AsyncSession, settings: Settings, whose: ColumnElement[bool]) -> LoginAccount | None:
    query = (
        _ACCOUNT.where(
            whose,
            col(OrderRow.is_lease).is_(False),
            col(OrderRow.country_code).in_(settings.login_countries),
            of_shop(settings),
        )
        .order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
        .limit(1)
    )
    return _account((await session.exec(query)).first())


async def lease_kinds(session: AsyncSession, reference: str) -> set[bool]:
    """The values of `is_lease` of all orders with this lease reference, order number or frame number."""
    query = (
        select(OrderRow.is_lease)
        .outerjoin(BikeRow, col(BikeRow.order_id) == OrderRow.id)
        .where(
            or_(
                col(OrderRow.lease_reference) == reference,
                col(OrderRow.order_number) == reference,
                col(BikeRow.frame_number) == reference,
            )
        )
    )
    return set((await session.exec(query.distinct())).all())


async def public_id(session: AsyncSession, customer_id: int) -> str:
    return (await session.exec(select(CustomerRow.public_id).where(CustomerRow.id == customer_id))).one()


async def newest_order(session: AsyncSession, customer_id: int) -> str:
    query = select(OrderRow.order_number).where(OrderRow.customer_id == customer_id)
    newest = query.order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc()).limit(1)
    return (await session.exec(newest)).first() or ""


async def use_visit(session: AsyncSession, link_hash: str, now: datetime) -> CustomerVisitRow | None:
    """Use up a link of staff in one statement; None if it is unknown, used, expired, or its person may not log in."""
    active = select(StaffRow.id).where(col(StaffRow.active))
    statement = (
        update(CustomerVisitRow)
        .where(
            col(CustomerVisitRow.link_hash) == link_hash,
            col(CustomerVisitRow.used_at).is_(None),
            col(CustomerVisitRow.expires_at) > now,
            col(CustomerVisitRow.staff_id).in_(active),
        )
        .values(used_at=now)
        .returning(CustomerVisitRow)
    )
    return (await session.exec(statement)).scalars().first()


async def is_refused(session: AsyncSession, challenge_hash: str, now: datetime) -> bool:
    """Whether the mail with an open code was given up before the code expired."""
    query = (
        select(LoginChallenge.id)
        .join(OutboxMail, col(OutboxMail.id) == LoginChallenge.mail_id)
        .where(
            LoginChallenge.challenge_hash == challenge_hash,
            col(LoginChallenge.used_at).is_(None),
            LoginChallenge.expires_at > now,
            col(OutboxMail.dropped_at).is_not(None),
            OutboxMail.recipient != "",
        )
    )
    return (await session.exec(query)).first() is not None


async def replace(session: AsyncSession, challenge_hash: str, now: datetime) -> None:
    await session.exec(
        update(LoginChallenge)
        .where(col(LoginChallenge.challenge_hash) == challenge_hash, col(LoginChallenge.used_at).is_(None))
        .values(used_at=now)
    )


async def replace_all(session: AsyncSession, customer_id: int, now: datetime) -> None:
    await session.exec(
        update(LoginChallenge)
        .where(col(LoginChallenge.customer_id) == customer_id, col(LoginChallenge.used_at).is_(None))
        .values(used_at=now)
    )


async def count_try(session: AsyncSession, challenge_hash: str, now: datetime, most: int) -> LoginChallenge | None:
    """Count one try in one statement and return the challenge; None if it is used, expired or has no tries left."""
    statement = (
        update(LoginChallenge)
        .where(
            col(LoginChallenge.challenge_hash) == challenge_hash,
            col(LoginChallenge.attempts) < most,
            col(LoginChallenge.used_at).is_(None),
            col(LoginChallenge.expires_at) > now,
        )
        .values(attempts=LoginChallenge.attempts + 1)
        .returning(LoginChallenge)
    )
    return (await session.exec(statement)).scalars().first()


async def challenge(session: AsyncSession, challenge_hash: str) -> LoginChallenge | None:
    """Find a challenge, whether or not it is still valid."""
    return (
        await session.exec(select(LoginChallenge).where(LoginChallenge.challenge_hash == challenge_hash))
    ).one_or_none()


async def find(session: AsyncSession, customer_id: int | None) -> str | None:
    """The hash of a customer's password; None if no password is set."""
    query = select(PasswordRow.password_hash).where(PasswordRow.customer_id == (customer_id or 0))
    return (await session.exec(query)).one_or_none()


async def keep(session: AsyncSession, customer_id: int, password_hash: str, now: datetime) -> None:
    statement = insert_into(session.get_bind(), PasswordRow).values(
        customer_id=customer_id, password_hash=password_hash, changed_at=now
    )
    values = {"password_hash": statement.excluded.password_hash, "changed_at": statement.excluded.changed_at}
    await session.exec(statement.on_conflict_do_update(index_elements=["customer_id"], set_=values))


async def end_sessions(session: AsyncSession, customer_id: int, now: datetime) -> None:
    await session.exec(
        update(SessionRow)
        .where(col(SessionRow.customer_id) == customer_id, col(SessionRow.revoked_at).is_(None))
        .values(revoked_at=now)
    )


_OWN = select(CustomerRow).where(CustomerRow.id == CUSTOMER)


class CustomerQueries:
    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def get(self) -> CustomerRow:
        return await find_one(self._session, _OWN, customer_id=self._customer_id)

    async def change(self, values: Mapping[str, Any], moment: datetime) -> None:
        await self._session.exec(
            sqlalchemy_update(CustomerRow)
            .where(col(CustomerRow.id) == self._customer_id)
            .values(**values, updated_at=moment)
            .execution_options(synchronize_session=False)
        )
        await (await self._session.connection()).run_sync(write_search_texts, [self._customer_id])

    async def order(self, order_number: str) -> OrderRow | None:
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.order_number == order_number)
        return (await self._session.exec(query)).one_or_none()

    async def features(self) -> list[list[str]]:
        query = select(OrderRow.features).where(OrderRow.customer_id == self._customer_id)
        return [list(features) for features in await self._session.exec(query)]


async def user_data(session: AsyncSession, owner: Owner) -> UserData:
    """`userData` of a customer (part-1 §3), read in the given database session."""
    queries = CustomerQueries(session, owner.customer_id)
    row = await queries.get()
    order = await queries.order(owner.order_number)
    return UserData(
        customer=to_customer(row),
        order=None if order is None else LoginOrder(order_number=order.order_number, invoiced_at=order.invoiced_at),
        features=switched_on(await queries.features()),
        locale="en" if row.locale == "en" else "nl",
    )


def switched_on(features: list[list[str]]) -> list[Feature]:
    """The features enabled on at least one order, in the order of `Feature`; unknown names are ignored."""
    names = {name for order in features for name in order}
    return [feature for feature in Feature if feature.value in names]


def to_customer(row: CustomerRow) -> Customer:
    return Customer(
        first_name=row.first_name,
        prefix=row.prefix,
        last_name=row.last_name,
        email=row.email,
        address=CustomerAddress(**address_parts(row), country_code=row.country_code, phone=row.phone),
    )


async def addressee(session: AsyncSession, customer_id: int) -> Addressee:
    customer = await CustomerQueries(session, customer_id).get()
    return Addressee(customer.email, known_locale(customer.locale))
