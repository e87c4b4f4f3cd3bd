"""The flow cases of returns, with the answers to fill in."""

from __future__ import annotations

from portal.returns.flow.kinds import ACCESSORIES as ACCESSORIES_FLOW
from portal.returns.flow.kinds import EXCHANGE as EXCHANGE_FLOW
from portal.returns.flow.kinds import ORDER_RETURN as ORDER_RETURN_FLOW
from portal.returns.flow.kinds import RETURN as RETURN_FLOW
from tests.support.flows import FIRST, FlowCase
from tests.support.returning import BUNDLE, PARTLY, PAY_LATER

ROOS = ("900000721", "roos@example.com")
WHY = "Bij nader inzien past dit toch niet goed bij wat ik zoek."
BIKE, PINNED, BATTERY, BAGS = f"{PAY_LATER}-1", f"{BUNDLE}-1", f"{BUNDLE}-2", f"{BUNDLE}-3"
STRAPS, PUMP = f"{PARTLY}-1", f"{PARTLY}-2"
PICK_UP = {"address": "known", "phone": "06 12345611", "pickup_day": FIRST, "pickup_window": "evening"}

RETURN = FlowCase(
    RETURN_FLOW,
    ROOS,
    {
        "item": {"item": BIKE},
        "reason": {"fault": "none", "reason": WHY},
        "condition": {"state": "used_with_signs_of_use", "mileage": "120,5"},
        "method": {"method": "store", "store": FIRST},
    },
    wrong={
        "item": {},
        "reason": {"fault": "none", "reason": "te kort"},
        "condition": {"state": "unused", "mileage": "12,555"},
        "method": {},
    },
    other=("reason", {"reason": f"{WHY} Echt niet."}),
    table="returns",
)

ACCESSORIES = FlowCase(
    ACCESSORIES_FLOW,
    ROOS,
    {
        "items": {"items": [f"{STRAPS}*2", f"{PUMP}*1"]},
        "condition": {"fault": "none", "reason": WHY, "state": "unused"},
        "method": {"method": "store", "store": FIRST},
    },
    wrong={"items": {}, "condition": {"fault": "none", "reason": "te kort", "state": "unused"}, "method": {}},
    other=("condition", {"reason": f"{WHY} Echt niet."}),
    table="returns",
)

EXCHANGE = FlowCase(
    EXCHANGE_FLOW,
    ROOS,
    {
        "item": {"item": BIKE},
        "product": {"exchange_type": "other", "product": FIRST},
        "reason": {"fault": "none", "reason": WHY},
        "condition": {"state": "unused", "mileage": "12"},
        "method": {"method": "store", "store": FIRST},
    },
    wrong={
        "item": {},
        "product": {"exchange_type": "other"},
        "reason": {"fault": "none", "reason": "te kort"},
        "condition": {"state": "unused", "mileage": "twaalf"},
        "method": {},
    },
    other=("reason", {"reason": f"{WHY} Echt niet."}),
    table="returns",
)

ORDER_RETURN = FlowCase(
    ORDER_RETURN_FLOW,
    ROOS,
    {
        "items": {"order": PARTLY, "items": [f"{STRAPS}*2", f"{PUMP}*1"]},
        "condition": {"state": "used_without_signs_of_use"},
        "reason": {"reason": "other", "reason_text": "De banden passen niet om mijn velg."},
        "day": {"pickup_day": FIRST, "pickup_window": "evening"},
        "pickup": {
            "address": "other",
            "pickup_name": "Buren van 12",
            "country_code": "NL",
            "post_code": "3523 ab",
            "house_number": "12",
            "street": "Balijelaan",
            "city": "Utrecht",
            "phone": "030 231 1234",
        },
    },
    wrong={
        "items": {"order": PARTLY},
        "condition": {},
        "reason": {"reason": "other", "reason_text": "te kort"},
        "day": {"pickup_day": FIRST},
        "pickup": {"address": "other", "country_code": "NL", "post_code": "12", "house_number": "twaalf"},
    },
    other=("reason", {"reason_text": "De banden zijn te smal voor mijn velg."}),
    table="returns",
)

RETURNS = (RETURN, ACCESSORIES, EXCHANGE, ORDER_RETURN)
