"""Whoever has two bikes of one name reads in every mail which of them it is about."""

from __future__ import annotations

from collections import defaultdict

import pytest
from sqlmodel import select

from portal.backend.bike_names import bike_in_full
from portal.backend.mail import Template
from portal.contract.models import Locale
from portal.kernel.texts import LOCALES
from portal.tables.bikes import BikeRow
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
        full = {bike_in_full(bike, locale) for bike in bikes if bike.frame_number}
        known = {bike.name_in(locale) for bike in bikes if not bike.frame_number}
        session.add_all(
            BikeRow(**bike.model_dump(exclude={"id", "public_id", "order_line_id"}) | {"frame_number": "NEVER0000"})
            for bike in bikes
        )
    named: dict[Template, list[str]] = defaultdict(list)
    async for template, _, text in sent_mails(furnished, locale):
        said = text if template in _ABOUT_CASES else text.partition("\n")[0]
        if any(name in said for name in plain - known):
            named[template].append(said)
    assert set(named) == _ABOUT_BIKES | _ABOUT_CASES
    for template, texts in named.items():
        assert not [said for said in texts if not any(name in said for name in full)], template
