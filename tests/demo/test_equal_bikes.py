"""Whoever has two bikes of one name reads in every mail which of them it is about."""

from collections import defaultdict

import pytest
from sqlmodel import col, select

from portal.backend.bike_names import bike_called, bike_in_full
from portal.backend.mail import Template
from portal.contract.models import Locale
from portal.kernel.texts import LOCALES
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderRow
from tests.support.furnished import Furnished
from tests.support.posted_mails import sent_mails

_ABOUT_CASES = frozenset({Template.CASE_MESSAGE, Template.CASE_NEWS})
_ABOUT_BIKES = frozenset(
    {
        Template.CONFIRM_INSURANCE,
        Template.CONTRACT_END,
        Template.CONTRACT_END_DECLARED,
        Template.INSURANCE_STATUS,
        Template.REQUEST_CONFIRMATION,
        Template.SERVICE_PACKAGE,
        Template.WORK_ORDER_STATUS,
    }
)


@pytest.mark.parametrize("locale", LOCALES)
async def test_every_mail_says_which_of_equal_bikes_it_is_about(furnished: Furnished, locale: Locale) -> None:
    async with furnished.context.database.transaction() as session:
        bikes = (await session.exec(select(BikeRow))).all()
        plain = {bike.name_in(locale) for bike in bikes}
        full = {bike_in_full(bike, locale) for bike in bikes}
        session.add_all(
            BikeRow(**bike.model_dump(exclude={"id", "public_id", "order_line_id"}) | {"frame_number": "NEVER0000"})
            for bike in bikes
        )
    named: dict[Template, list[str]] = defaultdict(list)
    async for template, _, text in sent_mails(furnished, locale):
        said = text if template in _ABOUT_CASES else text.partition("\n")[0]
        if any(name in said for name in plain):
            named[template].append(said)
    assert set(named) == _ABOUT_BIKES | _ABOUT_CASES
    for template, texts in named.items():
        assert not [said for said in texts if not any(name in said for name in full)], template


async def test_equal_bikes_without_frame_numbers_are_told_apart_by_their_orders(furnished: Furnished) -> None:
    query = select(BikeRow, OrderRow).join(OrderRow, col(OrderRow.id) == BikeRow.order_id)
    async with furnished.context.database.transaction() as session:
        bike, order = (await session.exec(query.where(col(BikeRow.frame_number).is_(None)))).all()[0]
        assert str(order.order_number) not in (await bike_called(session, bike)).text("nl")
        values = bike.model_dump(exclude={"id", "public_id", "order_line_id"})
        session.add(BikeRow(**values))
        await session.flush()
        called = await bike_called(session, bike)
    assert called.text("nl").endswith(f", bestelling {order.order_number}")
    assert called.text("en").endswith(f", order {order.order_number}")
