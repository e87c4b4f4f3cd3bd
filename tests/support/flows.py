"""A case for every flow, with the answers to fill in. `tests.support.walks` uses them in a browser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portal.flow import Flow, Step
from portal.insurance.flow import INSURANCE
from portal.kernel.days import add_months, today
from portal.returns.flow.kinds import ACCESSORIES as ACCESSORIES_FLOW
from portal.returns.flow.kinds import EXCHANGE as EXCHANGE_FLOW
from portal.returns.flow.kinds import ORDER_RETURN as ORDER_RETURN_FLOW
from portal.returns.flow.kinds import RETURN as RETURN_FLOW
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE
from tests.support.people import FLEUR, NOOR, ROOS
from tests.support.returning import BUNDLE, PARTLY, PAY_LATER

FIRST = "*"
"""Placeholder for the first card that can be chosen."""

FILES = "<files>"
"""Placeholder for an uploaded photo and video."""

PHOTOS = "<photos>"
"""Placeholder for an uploaded photo."""

Values = Mapping[str, str | Sequence[str]]


def months_ago(months: int) -> Mapping[str, str]:
    """The answer with the month that many months ago. The bike that flows choose first is about three months old."""
    day = add_months(today().replace(day=1), -months)
    return {"maintenance_month": str(day.month), "maintenance_year": str(day.year)}


@dataclass(frozen=True)
class FlowCase:
    """A flow and a customer's answers.

    Attributes:
        flow: the declaration of the flow.
        customer: order number and e-mail address of a customer who can start it.
        answers: valid values by step name and field.
        wrong: invalid values by step name and field.
        extra: a customer who gets an extra step, with the answers to it and to other steps that differ.
    """

    flow: Flow
    customer: tuple[str, str]
    answers: Mapping[str, Values]
    wrong: Mapping[str, Values]
    extra: tuple[tuple[str, str], Mapping[str, Values]] | None = None

    def __post_init__(self) -> None:
        """Fail if there are answers to unknown steps."""
        named = {*self.answers, *self.wrong, *(self.extra[1] if self.extra else ())}
        assert named <= {step.name for step in self.flow.steps}, f"{self.flow.name}: {named}"

    @property
    def steps(self) -> list[Step]:
        """The steps of the flow without extra steps."""
        return [step for step in self.flow.steps if step.name in self.answers]

    def steps_after(self, name: str) -> list[Step]:
        """The steps after this one."""
        names = [step.name for step in self.flow.steps]
        return [step for step in self.steps if names.index(step.name) > names.index(name)]

    def __str__(self) -> str:
        return self.flow.name


PIN = (("900000003", "amber@example.com"), {"pincode": {"pin_known": "known", "pin_code": "48 17"}})
"""A customer whose bike has a pin code, with the answers to the extra step."""


PHOTO = "photo.jpg"
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."

CASES = (
    FlowCase(
        REPAIR,
        NOOR,
        {
            "bike": {"bike": FIRST},
            "damage": {"parts": ["chain", "brakes"], "details_chain": TEXT, "details_brakes": f"{TEXT} Ook bij regen."},
            "maintenance": {"maintenance": "known", **months_ago(1)},
            "photos": {"photos": FILES},
            "address": {"address": "known", "phone": "06 12345678"},
            "location": {"location": FIRST},
            "handover": {"handover": "bring"},
        },
        wrong={
            "bike": {},
            "damage": {"parts": ["saddle"], "details_saddle": "te kort"},
            "maintenance": {"maintenance": "known", "maintenance_month": "13", "maintenance_year": "2024"},
            "photos": {},
            "address": {"address": "known", "phone": "12"},
            "location": {},
            "handover": {},
        },
        extra=PIN,
    ),
    FlowCase(
        CLAIM,
        NOOR,
        {
            "bike": {"bike": FIRST},
            "parts": {"parts": ["wheels", "frame"]},
            "policy": {"insurer": "Fietspolis Direct", "policy_number": "fp 2044.881"},
            "cause": {"cause": "Een auto reed achteruit tegen mijn fiets, op het Stationsplein."},
            "handling": {"handling": "now"},
            "photos": {"photos": PHOTOS},
            "repayment": {"method": "account", "account_holder": "N. Haddad", "iban": "nl91 abna 0417 1643 00"},
        },
        wrong={
            "bike": {},
            "parts": {},
            "policy": {"insurer": "Fietspolis Direct", "policy_number": "geen"},
            "cause": {"cause": "te kort"},
            "handling": {},
            "photos": {},
            "repayment": {"method": "account", "account_holder": "N. Haddad", "iban": "NL91 ABNA 0417 1643 01"},
        },
        extra=(PIN[0], {**PIN[1], "policy": {"policy_number": "P123456789"}}),
    ),
    FlowCase(
        SERVICE,
        ("900000001", "sanne@example.com"),
        {
            "bike": {"bike": FIRST},
            "job": {"job": "2"},
            "address": {
                "address": "other",
                "country_code": "NL",
                "post_code": "3523 ab",
                "house_number": "12",
                "street": "Balijelaan",
                "city": "Utrecht",
                "phone": "030 231 1234",
            },
            "location": {"location": FIRST, "handover": "bring"},
        },
        wrong={
            "bike": {},
            "job": {},
            "address": {"address": "other", "country_code": "NL", "post_code": "12", "house_number": "twaalf"},
            "location": {},
        },
        extra=(PIN[0], {"pincode": {"pin_known": "unknown"}}),
    ),
)


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
)

RETURNS = (RETURN, ACCESSORIES, EXCHANGE, ORDER_RETURN)


INSURING = FlowCase(
    INSURANCE,
    FLEUR,
    {
        "bike": {"bike": FIRST},
        "insurance": {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "b 12-345"},
        "account": {"iban": "nl91 abna 0417 1643 00", "agreed": "yes"},
    },
    wrong={
        "bike": {},
        "insurance": {"type": "theft", "key_number": "sleutel"},
        "account": {"iban": "NL91 ABNA 0417 1643 01"},
    },
)

PACKAGING = FlowCase(
    SERVICE_PACKAGE,
    FLEUR,
    {"bike": {"bike": FIRST}, "package": {"package": "SERVICE21"}},
    wrong={"bike": {}, "package": {}},
)

AFTERCARE = (INSURING, PACKAGING)
