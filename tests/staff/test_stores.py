"""Every operation on a record of a store answers somebody of another store as if there were none, and is noticed.

The typical calls of `tests/contract` name records that do not exist. Here a record of Utrecht stands in their place, so
that an operation that is added is tested, too.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel
from sqlmodel import col, select
from structlog.testing import capture_logs

from portal.backend.security import SecurityEvent
from portal.cases.api import CasesApi
from portal.contract.errors import ProviderError
from portal.contract.registry import Provider
from portal.contract.session import VISIT_PATH
from portal.kernel.codes import Code
from portal.returns.api import ReceivingApi
from portal.staff.api.people import StaffApi
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import RIGHTS, Right
from tests.complete.test_roles import CALLS, WITH_RIGHT
from tests.support.furnished import Furnished
from tests.support.staff import DAAN, FEMKE, MARLOES, staff_token

NO_REFERENCE, NO_ID = "ABCD2345", "ABCDEFGH23"
"""What the typical calls name."""

OF_THE_PERSON = {"staff_files"}
"""Operations that take a reference only to name a list of one's own files."""

SEARCH = {"find_customers"}
"""What a search shows may be opened after it (decision 0083)."""


@dataclass
class InTheirPlace(Provider):
    """A provider that is called with records of Utrecht where a call names none.

    Attributes:
        found: value of each parameter, by its name; references by the protocol.
        replaced: whether the last call named a record.
    """

    provider: Provider
    found: dict[str, str]
    references: dict[type, str]
    replaced: bool = field(default=False)

    def ask(self, api: type[Any]) -> Any:
        """The service, whose arguments are replaced."""
        return _Replacing(self, api)

    def filled(self, api: type[Any], name: str, value: Any) -> Any:
        """An argument with the record in its place."""
        if isinstance(value, BaseModel):
            fields = {each: self.filled(api, each, part) for each, part in value}
            return value.model_copy(update=fields)
        if isinstance(value, list):
            return [self.filled(api, name, part) for part in value]
        if isinstance(value, str) and NO_REFERENCE in value:
            self.replaced = True
            return value.replace(NO_REFERENCE, self.references.get(api, self.references[CasesApi]))
        if value == NO_ID and name in self.found:
            self.replaced = True
            return self.found[name]
        return value


class _Replacing:
    def __init__(self, provider: InTheirPlace, api: type[Any]) -> None:
        self._provider, self._api = provider, api

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._provider.provider.ask(self._api), name)
        names = list(inspect.signature(method).parameters)

        def call(*given: Any) -> Any:
            return method(*(self._provider.filled(self._api, *pair) for pair in zip(names, given, strict=False)))

        return call


async def of_utrecht(shop: Furnished) -> InTheirPlace:
    """A repair, a return, a customer with a bike and no other store, and the store itself: Utrecht."""
    async with shop.context.database.transaction() as session:
        store = (await session.exec(select(PartnerRow).where(PartnerRow.name == "Bovenbuis Utrecht"))).one()
        elsewhere = select(CaseRow.customer_id).where(
            col(CaseRow.partner_id).is_not(None), CaseRow.partner_id != store.id
        )
        repairs = select(CaseRow).where(
            CaseRow.kind == CaseKind.REPAIR,
            CaseRow.partner_id == store.id,
            col(CaseRow.customer_id).not_in(elsewhere),
        )
        repair = (await session.exec(repairs.order_by(col(CaseRow.id)))).first()
        assert repair
        request = (await session.exec(select(RequestRow).where(RequestRow.reference == repair.reference))).one()
        bike = (await session.exec(select(BikeRow).where(BikeRow.id == request.bike_id))).one()
        customer = (await session.exec(select(CustomerRow).where(CustomerRow.id == repair.customer_id))).one()
        returned = (await session.exec(select(ReturnRow).order_by(col(ReturnRow.id)))).first()
        assert returned
        returned.store_id = store.id
        returned_reference = returned.reference
        found = {"store_id": store.public_id, "bike_id": bike.public_id, "customer_id": customer.public_id}
    return InTheirPlace(shop.provider, found, {CasesApi: repair.reference, ReceivingApi: returned_reference})


@pytest.mark.parametrize("email", [MARLOES, DAAN])
async def test_somebody_of_another_store_is_told_that_there_is_nothing_and_is_noticed(
    furnished: Furnished, email: str
) -> None:
    provider, token = await of_utrecht(furnished), await staff_token(furnished, email)
    rights = RIGHTS[(await furnished.ask(StaffApi).member(token)).role]
    called, wrong = set[str](), dict[str, Any]()
    for name in sorted(CALLS.keys() - OF_THE_PERSON - SEARCH):
        if WITH_RIGHT[name].right not in rights:
            continue
        provider.replaced = False
        outcome: Any = None
        token = await staff_token(furnished, email)
        with capture_logs() as lines:
            try:
                outcome = await CALLS[name](provider, token)
            except ProviderError as error:
                outcome = error
        if not provider.replaced:
            continue
        called.add(name)
        codes = [each.code for each in outcome] if name == "change_cases" else [getattr(outcome, "code", None)]
        refused = [line for line in lines if line["event"] == SecurityEvent.STAFF_REFUSED]
        if codes != [Code.NOT_FOUND] or not refused:
            wrong[name] = (outcome, len(refused))
    assert not wrong
    assert called >= {"case", "move_case", "change_cases", "case_file", "send_message"}
    assert called >= {"reveal_pin_code", "reveal_bike_pin_code", "correct_frame_number"}
    if Right.ACT_FOR_CUSTOMERS in rights:
        assert called >= {"customer_card", "visit_customer", "correct_email", "correct_address", "merge_customers"}


async def test_the_records_of_these_calls_are_there_for_their_own_store(furnished: Furnished) -> None:
    provider, token = await of_utrecht(furnished), await staff_token(furnished, FEMKE)
    answers = {
        name: await CALLS[name](provider, token)
        for name in ("case", "expected_return", "store_hours", "customer_card", "visit_customer")
    }
    assert answers["case"].reference == provider.references[CasesApi]
    assert answers["expected_return"].reference == provider.references[ReceivingApi]
    assert answers["store_hours"].store.store_id == provider.found["store_id"]
    assert answers["customer_card"].customer_id == provider.found["customer_id"]
    assert VISIT_PATH in answers["visit_customer"].url
    await furnished.change(BikeRow, {"pin_code": "4817"}, public_id=provider.found["bike_id"])
    for name in ("reveal_pin_code", "reveal_bike_pin_code"):
        assert (await CALLS[name](provider, token)).value == "4817", name
