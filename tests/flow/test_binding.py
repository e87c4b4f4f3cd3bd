"""The button that sends a request says that the customer has to pay, wherever a price is due."""

from typing import Any

import pytest

from portal.flow import AnswerContext, Flow
from portal.insurance.flow import INSURANCE
from portal.returns.flow.kinds import ACCESSORIES, EXCHANGE, RETURN
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE
from tests.flow.parts import DAY, FACTS

ITEM: dict[str, Any] = {
    "id": "900000001-1",
    "order": "900000001",
    "name": "Stadsfiets",
    "refusal": "",
    "worths": [["500.00", "0.00", "0.00"]],
    "max": 1,
    "battery": False,
    "is_bike": True,
}
OFFER = {"id": "SERVICE21", "monthly": "9.95", "includes": [], "half_price_jobs": [], "most_chosen": True}
OFFERED = FACTS | {"packages": [OFFER]}
OWNED = FACTS | {"items": [ITEM], "orders": [{"id": "900000001", "outstanding": "0.00"}], "fee": "39.95"}
FREE_SERVICE = FACTS | {"job": FACTS["job"] | {"price": "0.00", "reduced": None}}
RETURNED = {"item": ITEM["id"], "items": [f"{ITEM['id']}*1"], "state": "unused"}


@pytest.mark.parametrize(
    ("flow", "answers", "facts", "binds"),
    [
        (REPAIR, {"location": "NEAR", "handover": "pick_up"}, FACTS, True),
        (REPAIR, {"location": "NEAR", "handover": "bring"}, FACTS, False),
        (REPAIR, {}, {}, False),
        (SERVICE, {"job": "2", "location": "NEAR", "handover": "bring"}, FACTS, True),
        (SERVICE, {"job": "2", "location": "NEAR", "handover": "bring"}, FREE_SERVICE, False),
        (CLAIM, {}, FACTS, False),
        (SERVICE_PACKAGE, {"package": "SERVICE21"}, OFFERED, True),
        (SERVICE_PACKAGE, {}, FACTS, False),
        (INSURANCE, {"type": "theft", "insurer": "fietsvast"}, FACTS, True),
        (INSURANCE, {"type": "none"}, FACTS, False),
        (INSURANCE, {"type": "already_insured"}, FACTS, False),
        (RETURN, RETURNED | {"method": "store"}, OWNED, False),
        (RETURN, RETURNED | {"method": "pick_up"}, OWNED, True),
        (ACCESSORIES, RETURNED | {"method": "pick_up"}, OWNED, True),
        (EXCHANGE, RETURNED | {"method": "store", "exchange": "same"}, OWNED, False),
    ],
    ids=lambda value: value.name if isinstance(value, Flow) else None,
)
def test_a_request_binds_to_pay_where_a_price_is_due(
    flow: Flow, answers: dict[str, Any], facts: dict[str, Any], *, binds: bool
) -> None:
    assert flow.binds_to_pay(AnswerContext(answers, facts, DAY)) is binds
