"""Random orders of events: answers are never lost, and no step opens too early."""

import json
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from portal.flow import INTRO, Answer, Flow, Journey, Step, places_of
from portal.insurance.flow import INSURANCE
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import PARTS, REPAIR, details_of
from portal.work_orders.flow.service import SERVICE
from tests.flow.parts import ANSWERS, DAY, FACTS, TEXT

BIKES = st.sampled_from(["CITY", "LOCKED", "BUSY", "", "STRANGE"])
TEXTS = st.sampled_from(["", "kort", TEXT, TEXT + " Sinds gisteren.", "x" * 1001])


@st.composite
def forms(draw: st.DrawFn) -> dict[str, Answer]:
    """Everything that any step asks, right or wrong: a step reads what is its own."""
    parts = draw(st.lists(st.sampled_from([*PARTS]), max_size=2, unique=True))
    return {
        "bike": draw(BIKES),
        "pin_known": draw(st.sampled_from(["known", "unknown", ""])),
        "pin_code": draw(st.sampled_from(["1234", "12", "98 76 54"])),
        "parts": parts if len(parts) != 1 else parts[0],
        **{details_of(part): draw(TEXTS) for part in parts},
        "maintenance": draw(st.sampled_from(["known", "never", "unsure", ""])),
        "maintenance_month": draw(st.sampled_from(["3", "mrt", "13", "juli"])),
        "maintenance_year": draw(st.sampled_from(["2024", "2026", "26"])),
        "job": draw(st.sampled_from(["1", "2", "5", ""])),
        "address": draw(st.sampled_from(["known", "other", ""])),
        "country_code": draw(st.sampled_from(["NL", "BE", "FR"])),
        "post_code": draw(st.sampled_from(["2000", "3511 lx", ""])),
        "house_number": draw(st.sampled_from(["12", "12A"])),
        "house_number_addon": draw(st.sampled_from(["", "bus 3"])),
        "street": draw(st.sampled_from(["Meir", ""])),
        "city": draw(st.sampled_from(["Antwerpen", "Utrecht"])),
        "phone": draw(st.sampled_from(["030 231 1234", "0470 12 34 04", "112"])),
        "location": draw(st.sampled_from(["NEAR", "FAR", "", "../x"])),
        "handover": draw(st.sampled_from(["bring", "pick_up", "call_out", ""])),
        "photos": draw(st.sampled_from([["PHOTO"], ["FILM", "PHOTO"], ["OTHER"], []])),
        "insurer": draw(st.sampled_from(["Fietspolis Direct", "kettingzeker", ""])),
        "type": draw(st.sampled_from(["theft", "none", "already_insured", ""])),
        "key_number": draw(st.sampled_from(["b 12-345", "sleutel", ""])),
        "agreed": draw(st.sampled_from(["yes", ""])),
        "package": draw(st.sampled_from(["SERVICE21", "SERVICE12", ""])),
        "policy_number": draw(st.sampled_from(["P123456789", "geen", ""])),
        "cause": draw(TEXTS),
        "handling": draw(st.sampled_from(["wait", "now", ""])),
        "method": draw(st.sampled_from(["account", "insurer", ""])),
        "account_holder": draw(st.sampled_from(["S. de Vries", ""])),
        "iban": draw(st.sampled_from(["NL91 ABNA 0417 1643 00", "NL91 ABNA 0417 1643 01"])),
    }


GOOD: dict[str, Answer] = {
    **{name: value for good in ANSWERS.values() for name, value in good.items()},
    "job": "2",
    "insurer": "Fietspolis Direct",
    "policy_number": "P123456789",
    "cause": TEXT,
    "handling": "now",
    "method": "account",
    "account_holder": "S. de Vries",
    "iban": "NL91 ABNA 0417 1643 00",
}

ABOUT = {
    **dict.fromkeys(("pin_known", "pin_code", "insurer", "policy_number", "key_number"), "bike"),
    "handover": "location",
}
"""Answers that are thrown away, and the answer that has to change for it."""


class Customer(RuleBasedStateMachine):
    """A customer with one draft and one tab."""

    flow: ClassVar[Flow]
    most_totals: ClassVar[int] = 1
    good: ClassVar[dict[str, Answer]] = GOOD

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, Any] = {}
        self.completed: tuple[str, ...] = (INTRO,)
        self.facts: dict[str, Any] = FACTS
        self.page = self.flow.intro_step
        self.changing = False
        self.accepted: dict[str, Answer] = {}
        self.totals: set[int] = set()

    @property
    def way(self) -> Journey:
        return Journey(self.flow, self.answers, self.completed, self.facts, DAY)

    def _open(self, step: Step) -> None:
        """What the page does on arrival: stay, or go to the first open step."""
        self.page = step if self.way.may_open(step) else self.way.next_open

    @rule(bike=st.sampled_from(["CITY", "LOCKED"]))
    def go_on_well(self, bike: str) -> None:
        self.go_on(self.good | {"bike": bike})

    @rule(form=forms())
    def go_on(self, form: dict[str, Answer]) -> None:
        step = self.page
        if step is self.flow.check_step:
            return
        before = self.way
        outcome = before.answer(step, form)
        if outcome.errors:
            assert set(outcome.errors) <= {field.name for field in step.fields}
            return
        self.answers, self.completed = dict(outcome.answers), outcome.completed
        fresh = {name: value for name, value in self.answers.items() if before.answers.get(name) != value}
        thrown_away = set(before.answers) - set(self.answers)
        assert all(ABOUT[name] in fresh for name in thrown_away)
        self.accepted = {name: value for name, value in (self.accepted | fresh).items() if name not in thrown_away}
        assert step.name in self.completed
        self._open(self.way.following(step, changing=self.changing))
        self.changing = self.changing and self.page is not self.flow.check_step

    @rule()
    def go_back(self) -> None:
        previous = self.way.previous(self.page)
        if previous:
            self._open(previous)

    @rule(place=st.integers(1, 20))
    @precondition(lambda self: self.page is self.flow.check_step)
    def change(self, place: int) -> None:
        self.changing = True
        self._open(self.flow.steps[place % len(self.flow.steps)])

    @rule()
    def reload(self) -> None:
        """The server forgot the tab: all there is comes from the database."""
        self.answers, self.completed = json.loads(json.dumps([self.answers, self.completed]))
        self._open(self.page)

    @rule(place=st.integers(0, 20))
    def follow_a_deep_link(self, place: int) -> None:
        self.changing = False
        self._open(self.flow.all_steps[place % len(self.flow.all_steps)])

    @rule(busy=st.booleans())
    def another_request_is_made_or_closed(self, busy: bool) -> None:
        bikes = [dict(entry) for entry in FACTS["bikes"]]
        bikes[0]["refusal"] = "open_work_order_exists" if busy else ""
        self.facts = {**FACTS, "bikes": bikes}
        self._open(self.page)

    @invariant()
    def no_step_is_open_too_early(self) -> None:
        way = self.way
        assert way.may_open(self.page)
        for step in way.path[: way.path.index(self.page)]:
            assert step.name in way.completed
            assert not way.problems(step)

    @invariant()
    def every_accepted_answer_is_kept(self) -> None:
        assert self.answers == self.accepted

    @invariant()
    def what_is_sent_is_valid_and_was_asked(self) -> None:
        way = self.way
        if way.finished:
            assert set(way.given()) <= {field.name for step in way.path for field in way.asked_fields(step)}
            assert all(not way.problems(step) for step in way.path)

    @invariant()
    def the_counter_counts_up_to_a_steady_total(self) -> None:
        places = [place for step in self.way.path if (place := places_of(self.way.path).get(step.name))]
        assert [place.x for place in places if not place.extra] == list(range(1, places[-1].y + 1))
        self.totals |= {place.y for place in places}
        assert len(self.totals) <= self.most_totals


class RepairCustomer(Customer):
    """Somebody who has a bike repaired."""

    flow = REPAIR


class ServiceCustomer(Customer):
    """Somebody who has a bike serviced."""

    flow = SERVICE


class ClaimCustomer(Customer):
    """Somebody who claims damage. Who waits for the insurer is paid nothing back: that is one step less."""

    flow = CLAIM
    most_totals = 2


class InsuranceCustomer(Customer):
    """Somebody who insures a bike. Who wants no insurance is asked for no account: that is one step less."""

    flow = INSURANCE
    most_totals = 2
    good = GOOD | {"type": "theft", "insurer": "kettingzeker", "key_number": "B12345", "agreed": "yes"}


class PackageCustomer(Customer):
    """Somebody who takes out a service package."""

    flow = SERVICE_PACKAGE
    good = GOOD | {"package": "SERVICE21"}


_SETTINGS = settings(max_examples=80, stateful_step_count=30, deadline=None)
_SHORT = settings(_SETTINGS, max_examples=30)
"""For flows with a question or two less to go wrong in."""

for _customer in (RepairCustomer, ServiceCustomer, ClaimCustomer):
    _customer.TestCase.settings = _SETTINGS

for _customer in (InsuranceCustomer, PackageCustomer):
    _customer.TestCase.settings = _SHORT

TestAnyWayOfARepair = RepairCustomer.TestCase
TestAnyWayOfAService = ServiceCustomer.TestCase
TestAnyWayOfAClaim = ClaimCustomer.TestCase
TestAnyWayOfAnInsurance = InsuranceCustomer.TestCase
TestAnyWayOfAPackage = PackageCustomer.TestCase
