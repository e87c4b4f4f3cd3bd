"""The page of a request for insurance or another delivery day, or of the end of a contract."""

from __future__ import annotations

import pytest

from portal.contract.errors import NotFound
from portal.overview.api import OverviewApi
from portal.vocabulary.cases import CaseKind
from tests.support.conversing import ON_REQUEST_PAGE, case_of_repair, case_on_request_page
from tests.support.customers import SANNE
from tests.support.furnished import Furnished


@pytest.mark.parametrize(
    ("kind", "title", "status", "page"),
    [
        (CaseKind.INSURANCE, "Your insurance has been requested", "Requested", "/insurance-package?bike="),
        (
            CaseKind.DATE_CHANGE,
            "We’re checking whether your new day works",
            "Waiting for our confirmation",
            "/delivery-date/900000073",
        ),
        (CaseKind.CONTRACT_END, "Cancellation: Service package Comfort", "Being processed", "/contracts/"),
    ],
)
async def test_a_request_has_its_account_and_the_page_to_act_on(
    furnished: Furnished, kind: CaseKind, title: str, status: str, page: str
) -> None:
    case = await case_on_request_page(furnished.context, kind)
    customer = await furnished.log_in(ON_REQUEST_PAGE[kind].customer)
    found = await furnished.ask(OverviewApi).own_request(customer, case.reference)
    assert (found.kind, found.reference, found.tone != "") == (kind, case.reference, True)
    assert (found.account.title.en, found.account.status.en) == (title, status)
    assert found.page.startswith(page)


async def test_a_request_with_a_page_of_its_own_is_not_found_here(furnished: Furnished) -> None:
    repair = await case_of_repair(furnished.context, SANNE[1])
    customer = await furnished.log_in(SANNE)
    for reference in (repair.reference, "nothing", "' OR 1"):
        with pytest.raises(NotFound):
            await furnished.ask(OverviewApi).own_request(customer, reference)
