"""The flows of returns with answers to fill in."""

from __future__ import annotations

from portal.flows import FLOWS
from tests.support.flows import FIRST, FlowCase
from tests.support.returning import BUNDLE, PARTLY, PAY_LATER

ROOS = ("900000721", "roos@example.com")
WHY = "Bij nader inzien past dit toch niet goed bij wat ik zoek."
BIKE, PINNED, BATTERY, BAGS = f"{PAY_LATER}-1", f"{BUNDLE}-1", f"{BUNDLE}-2", f"{BUNDLE}-3"
STRAPS, PUMP = f"{PARTLY}-1", f"{PARTLY}-2"
PICK_UP = {"address": "known", "phone": "06 12345611", "pickup_day": FIRST, "pickup_window": "evening"}

RETURN = FlowCase(
    FLOWS["return-request"],
    ROOS,
    {
        "step-1": {"item": BIKE},
        "step-2": {"reason": WHY},
        "step-3": {"state": "used_with_signs_of_use", "mileage": "120,5"},
        "step-4": {"method": "store", "store": FIRST},
    },
    wrong={
        "step-1": {},
        "step-2": {"reason": "te kort"},
        "step-3": {"state": "unused", "mileage": "12,555"},
        "step-4": {},
    },
    other=("step-2", {"reason": f"{WHY} Echt niet."}),
    table="returns",
)
ACCESSORIES = FlowCase(
    FLOWS["return-accessories-request"],
    ROOS,
    {
        "step-1": {"items": [f"{STRAPS}*2", f"{PUMP}*1"]},
        "step-2": {"reason": WHY, "state": "unused"},
        "step-3": {"method": "store", "store": FIRST},
    },
    wrong={"step-1": {}, "step-2": {"reason": "te kort", "state": "unused"}, "step-3": {"method": "store"}},
    other=("step-2", {"reason": f"{WHY} Echt niet."}),
    table="returns",
)
EXCHANGE = FlowCase(
    FLOWS["exchange-request"],
    ROOS,
    {
        "step-1": {"item": BIKE},
        "step-2": {"exchange_type": "other", "product": FIRST},
        "step-3": {"reason": WHY},
        "step-4": {"state": "unused", "mileage": "12"},
        "step-5": {"method": "store", "store": FIRST},
    },
    wrong={
        "step-1": {},
        "step-2": {"exchange_type": "other"},
        "step-3": {"reason": "te kort"},
        "step-4": {"state": "unused", "mileage": "twaalf"},
        "step-5": {},
    },
    other=("step-3", {"reason": f"{WHY} Echt niet."}),
    table="returns",
)
ORDER_RETURN = FlowCase(
    FLOWS["order-return"],
    ROOS,
    {
        "step-1": {"order": PARTLY, "items": [f"{STRAPS}*2", f"{PUMP}*1"]},
        "step-2": {"state": "used_without_signs_of_use"},
        "step-3": {"reason": "other", "reason_text": "De banden passen niet om mijn velg."},
        "step-4": {"pickup_day": FIRST, "pickup_window": "evening"},
        "step-5": {
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
        "step-1": {"order": PARTLY},
        "step-2": {},
        "step-3": {"reason": "other", "reason_text": "te kort"},
        "step-4": {"pickup_day": FIRST},
        "step-5": {"address": "other", "country_code": "NL", "post_code": "12", "house_number": "twaalf"},
    },
    other=("step-3", {"reason_text": "De banden zijn te smal voor mijn velg."}),
    table="returns",
)
RETURNS = (RETURN, ACCESSORIES, EXCHANGE, ORDER_RETURN)
