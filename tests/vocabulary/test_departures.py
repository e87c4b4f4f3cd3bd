"""The table of what ends when a bike or an order leaves its customer."""

import pytest

from portal.kernel.texts import gettext_for
from portal.vocabulary.departures import DEPARTURES, GONE, Departure, Dependent, Effect, Money, outcome, refusal

CELLS = [(dependent, departure) for dependent in Dependent for departure in DEPARTURES]
REQUESTS = (Dependent.REPAIR, Dependent.SERVICE, Dependent.CLAIM, Dependent.INSURANCE_REQUEST)
CONTRACTS = (Dependent.INSURANCE, Dependent.PACKAGE)


@pytest.mark.parametrize(("dependent", "departure"), CELLS)
def test_what_waits_or_ends_for_a_customer_is_said_to_customer_and_staff(
    dependent: Dependent, departure: Departure
) -> None:
    cell = outcome(departure, dependent)
    of_case = (*REQUESTS, *CONTRACTS, Dependent.DATE_CHANGE)
    if cell.effect is Effect.WAITS or (cell.effect is Effect.ENDS and dependent in (*of_case, Dependent.DELIVERY)):
        assert cell.customer
        assert cell.staff or dependent not in of_case
    for text in filter(None, (cell.customer, cell.staff)):
        assert gettext_for("nl")(text) != text


@pytest.mark.parametrize("departure", sorted(GONE))
def test_nothing_waits_or_goes_on_once_it_is_gone_for_good(departure: Departure) -> None:
    for dependent in Dependent:
        assert outcome(departure, dependent).effect in (Effect.ENDS, Effect.CLOSED) or dependent in (
            Dependent.DELIVERY,
            Dependent.DATE_CHANGE,
            *((Dependent.INVOICE, Dependent.OTHER_RETURN) if departure is Departure.GIVEN_AWAY else ()),
        )
    assert refusal(departure, Dependent.PAGES)
    assert refusal(departure, Dependent.BACK_OFFICE)


@pytest.mark.parametrize("departure", sorted(set(DEPARTURES) - GONE))
def test_nothing_ends_for_good_while_the_bike_can_still_come_back_to_the_customer(departure: Departure) -> None:
    for dependent in (*REQUESTS, *CONTRACTS, Dependent.INVOICE):
        assert outcome(departure, dependent).effect in (Effect.STAYS, Effect.WAITS)
    assert refusal(departure, Dependent.PAGES)


def test_the_law_decides_what_is_paid_back_of_a_contract() -> None:
    """A withdrawal ends what was taken out with it without costs (Directive 2011/83, article 15)."""
    for dependent in CONTRACTS:
        assert outcome(Departure.WITHDRAWN, dependent).money is Money.EVERYTHING
        assert outcome(Departure.WITHDRAWN_UNSENT, dependent).money is Money.EVERYTHING
        assert outcome(Departure.RETURNED, dependent).money is Money.UNUSED_DAYS
