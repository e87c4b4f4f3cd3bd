"""The periods of the terms: a shop sets them from a day on, never below the law, and takes back no promise."""

from dataclasses import asdict, fields
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.backend.shops import TermBook
from portal.bikes.api import BikesApi
from portal.contract.common_api import TermsApi
from portal.contracts.api import ContractsApi
from portal.imports.provider.importer import Importer
from portal.insurance.api import InsuranceApi
from portal.kernel.days import add_years, local_day
from portal.kernel.terms import OF_SHOPS, ShopTerms, bounds
from portal.orders.api import OrdersApi
from portal.tables.customers import CustomerRow
from portal.tables.insurance import ShopTermRow
from portal.vocabulary.prices import SHOP_TERMS, ShopTerm
from tests.imports.test_dated import OTHER_SHOP
from tests.support.furnished import Furnished
from tests.support.living import FLEUR, Living
from tests.support.returning import facts
from tests.support.shop_records import raw

DAY = date(2027, 3, 1)

ROWS = st.lists(
    st.builds(
        lambda shop, term, day, value: ShopTermRow(shop=shop, term=term, valid_from=day, value=value),
        st.sampled_from(["", "other"]),
        st.sampled_from(ShopTerm),
        st.dates(DAY - timedelta(days=9), DAY + timedelta(days=9)),
        st.integers(2, 60),
    ),
    max_size=12,
    unique_by=lambda row: (row.shop, row.term, row.valid_from),
).map(lambda rows: sorted(rows, key=lambda row: (row.shop, row.valid_from)))


def test_every_period_has_a_name_and_bounds_that_its_usual_value_keeps() -> None:
    assert {term.value for term in ShopTerm} == OF_SHOPS == {each.name for each in fields(ShopTerms)}
    assert set(SHOP_TERMS) == set(ShopTerm)
    for name, value in asdict(ShopTerms()).items():
        least, most = bounds(name)
        assert least <= value <= most


@given(rows=ROWS, agreed=st.dates(DAY - timedelta(days=9), DAY), more=st.integers(0, 9))
def test_what_was_promised_is_never_taken_back(rows: list[ShopTermRow], agreed: date, more: int) -> None:
    book, day = TermBook(rows), agreed + timedelta(days=more)
    held, promised, now = (asdict(found) for found in (book.since(agreed, day), book.on(agreed), book.on(day)))
    for name, value in held.items():
        assert value == max(promised[name], now[name])


@given(rows=ROWS, day=st.dates(DAY - timedelta(days=9), DAY + timedelta(days=9)))
def test_the_own_period_of_a_shop_holds_before_the_common_one(rows: list[ShopTermRow], day: date) -> None:
    found = asdict(TermBook(rows).on(day))
    for term in ShopTerm:
        begun = [row for row in rows if row.term is term and row.valid_from <= day]
        last = max(begun, key=lambda row: (row.shop, row.valid_from), default=None)
        assert found[term.value] == (last.value if last else getattr(ShopTerms(), term.value))


async def send(shop: Furnished | Living, source: str = "shop", **terms: int) -> None:
    """Import periods that hold from today on."""
    today = str(local_day(shop.context.clock()))
    records = [
        {"external_id": name, "term": name, "value": value, "valid_from": today} for name, value in terms.items()
    ]
    report = await Importer(shop.context, source).store("terms", raw(*records))
    assert report.created == len(records), report


@pytest.mark.parametrize(("term", "value"), [("withdrawal_days", 13), ("warranty_years", 1), ("return_days", 1001)])
async def test_less_than_the_law_and_nonsense_are_rejected(furnished: Furnished, term: str, value: int) -> None:
    record = {"external_id": "1", "term": term, "value": value}
    report = await Importer(furnished.context, "shop").store("terms", raw(record))
    assert (report.rejected, report.problems[0].code) == (1, "out_of_bounds")


async def test_a_longer_period_holds_at_once_for_what_was_bought_before(living: Living) -> None:
    token = await living.log_in(FLEUR)
    number = FLEUR[0]
    before = await living.ask(OrdersApi).order(token, number)
    bikes = {bike.order_number: bike for bike in (await living.ask(InsuranceApi).insurance_bikes(token)).items}
    covered = {bike.order_number: bike for bike in (await living.ask(BikesApi).bikes(token)).items}
    await send(living, return_days=200, withdrawal_days=30, insurance_days=60, warranty_years=5)
    after = await living.ask(OrdersApi).order(token, number)
    assert (before.return_days, before.withdrawal_days) == (100, 14)
    assert (after.return_days, after.withdrawal_days) == (200, 30)
    for bike in (await living.ask(InsuranceApi).insurance_bikes(token)).items:
        assert bike.until == bikes[bike.order_number].until + timedelta(days=46)
    for bike in (await living.ask(BikesApi).bikes(token)).items:
        until = covered[bike.order_number].warranty_until
        assert bike.warranty_until in {until, add_years(until, 3)}
    assert any(
        bike.warranty_until != covered[bike.order_number].warranty_until
        for bike in (await living.ask(BikesApi).bikes(token)).items
    )


async def test_a_shorter_period_takes_nothing_from_what_was_bought_before(living: Living) -> None:
    token = await living.log_in(FLEUR)
    before = (await facts(living.provider, token))["items"]
    contracts = await living.ask(ContractsApi).contracts(token)
    await send(living, return_days=14, insurance_days=2)
    assert (await facts(living.provider, token))["items"] == before
    assert await living.ask(ContractsApi).contracts(token) == contracts
    today = (await living.ask(TermsApi).periods()).periods
    assert (today["return_days"], today["insurance_days"], today["withdrawal_days"]) == (14, 2, 14)


async def test_a_shop_has_periods_of_its_own(living: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living.context.settings, "shops", {"other": OTHER_SHOP})
    await send(living, source="other", return_days=365)
    token = await living.log_in(FLEUR)
    assert (await living.ask(OrdersApi).order(token, FLEUR[0])).return_days == 100
    await living.change(CustomerRow, {"source": "other"}, email=FLEUR[1])
    assert (await living.ask(OrdersApi).order(token, FLEUR[0])).return_days == 365
    shown: list[Any] = [(await living.ask(TermsApi).periods(shop)).periods["return_days"] for shop in ("", "other")]
    assert shown == [100, 365]


async def test_an_answer_is_promised_as_the_shop_promised_it_when_the_request_was_sent(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, "900000081")
    await send(living, insurer_answer_days=7)
    choice = ("insurance", {"type": "theft", "insurer": "kettingzeker", "key_number": "B12345"})
    account = ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"})
    await living.send(token, await living.fill(token, "insurance-request", bike, choice, account))
    await living.change(ShopTermRow, {"value": 9}, term=ShopTerm.INSURER_ANSWER_DAYS)
    request = (await living.ask(InsuranceApi).insurance_options(token, bike)).bike.request
    assert request is not None
    assert any("Binnen zeven werkdagen" in step.nl for step in request.account.next_steps)
