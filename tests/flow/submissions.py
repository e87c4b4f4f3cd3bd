"""Every flow from its intro to its request, on the longest path, and the rows that sending adds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from portal.contract.registry import Provider
from portal.flow import Flow
from portal.flow.api import Answer, Draft, FlowApi
from portal.locations.api import LocationsApi, LocationSearch
from portal.vocabulary.locations import LocationType
from tests.support.entries import step_entry
from tests.support.filling import shown
from tests.support.flows import (
    ACCESSORIES,
    CASES,
    EXCHANGE,
    FILES,
    FIRST,
    INSURING,
    ORDER_RETURN,
    PACKAGING,
    PHOTOS,
    PICK_UP,
    PINNED,
    RETURN,
    FlowCase,
    Values,
)

_Row = Mapping[str, int]


@dataclass(frozen=True)
class Way:
    """One way through a flow.

    Attributes:
        flow: the declaration.
        customer: order number and e-mail address.
        answers: values by field, by step, for every question that is asked.
        rows: how many rows each table has more in the end; no other has more or fewer.
    """

    flow: Flow
    customer: tuple[str, str]
    answers: Mapping[str, Values]
    rows: _Row

    @property
    def operations(self) -> list[str]:
        """What is done, in its order; see `tests.support.fragile`."""
        return ["open_draft", *(f"save_step/{self.flow.address(step)}" for step in self.answers), "submit_draft"]

    def __str__(self) -> str:
        return self.flow.name


def _way(case: FlowCase, rows: _Row, **other: Values) -> Way:
    """The way of a case, with its extra question where it has one, or with other answers; by name of the step."""
    customer, extra = case.extra or (case.customer, {})
    answers = {
        step.name: {**case.answers.get(step.name, {}), **extra.get(step.name, {}), **other.get(step.name, {})}
        for step in case.flow.steps
    }
    return Way(case.flow, customer, {step: values for step, values in answers.items() if values}, rows)


_SENT = {"drafts": 1, "cases": 1, "case_events": 1, "outbox_mails": 2}
"""One mail goes to the customer and one to whoever works on the case."""

_NOTED = {**_SENT, "changes": 1}
_REQUEST = {**_NOTED, "requests": 1, "work_order_events": 1}
_SHOWN = {**_REQUEST, "uploads": 1}
_RETURN = {**_NOTED, "returns": 1, "return_events": 1, "return_units": 1}
_FETCHED = {**_RETURN, "text_messages": 1, "jobs": 1}
"""The text message is due the day before."""

_READ = {**_FETCHED, "mileages": 1}
"""The mileage that a return asks for becomes that of the bike."""

_LINK = {"confirmation_links": 1, "limit_windows": 1, "outbox_mails": 1}
"""Nobody of the retailer is told before the customer confirms."""

_THREE = {"return_units": 3}

_REPAIR, _CLAIM, _SERVICE = CASES

_USED: Values = {"state": "used_with_signs_of_use", "mileage": "38,5", "battery": "fine"}
_PIN: Values = {"pin_known": "known", "pin_code": "2468"}
_VAN: Values = {"method": "pick_up"}

WAYS = (
    _way(_REPAIR, _SHOWN),
    _way(_CLAIM, _SHOWN),
    _way(_SERVICE, _REQUEST),
    _way(RETURN, _READ, item={"item": PINNED}, condition=_USED, method=_VAN, pickup=PICK_UP, pincode=_PIN),
    _way(ACCESSORIES, {**_FETCHED, **_THREE}, method=_VAN, pickup=PICK_UP),
    _way(EXCHANGE, _READ, item={"item": PINNED}, condition=_USED, method=_VAN, pickup=PICK_UP, pincode=_PIN),
    _way(ORDER_RETURN, {**_RETURN, **_LINK, **_THREE}),
    _way(INSURING, {**_NOTED, **_LINK, "insurance_requests": 1}),
    # A package is sold at once: nobody has to work on it.
    _way(PACKAGING, {"drafts": 1, "outbox_mails": 1, "package_orders": 1}),
)


async def answer(provider: Provider, token: str, draft: Draft, step: str, values: Values) -> Draft:
    """Answer a step; what only the shop knows is looked up."""
    answers: dict[str, Answer] = {}
    for name, value in values.items():
        if value in (FILES, PHOTOS):
            answers[name] = [(await shown(provider, token, draft)).upload_id]
        elif value == FIRST:
            answers[name] = await _first(provider, token, draft, name)
        else:
            answers[name] = value if isinstance(value, str) else list(value)
    return await provider.ask(FlowApi).save_step(token, draft.draft_id, step_entry(draft, step, answers))


async def _first(provider: Provider, token: str, draft: Draft, name: str) -> str:
    if name == "location":
        near = await provider.ask(LocationsApi).service_locations(
            token, LocationSearch(text="3511 LX", types=[LocationType.OWN_STORE])
        )
        return near.items[0].location_id
    return _OFFERED[name](draft.facts)


def _open(facts: list[dict[str, Any]]) -> str:
    return next(entry["id"] for entry in facts if not entry.get("refusal"))


_OFFERED: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "bike": lambda facts: _open(facts["bikes"]),
    "store": lambda facts: facts["stores"][0]["id"],
    "pickup_day": lambda facts: facts["pickup_days"]["NL"][0],
    "product": lambda facts: next(e["id"] for e in facts["catalogue"] if e["is_bike"] and not e["refusal"]),
}
