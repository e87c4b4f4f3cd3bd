"""Steps that ask for the service location and the handover of the bike (part-1 §2 Service request flow, §9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from portal.account.flow import PLACE_FIELDS
from portal.flow import Answer, AnswerContext, Condition, Control, Field, Findings, OneValue, Step, nothing
from portal.flow.model import LookedUp, looked_up
from portal.kernel.codes import Code
from portal.kernel.texts import N_, Cost, CostKind
from portal.kernel.validation import InvalidValue
from portal.vocabulary.locations import HANDOVER_NAMES, Handover

LOCATION = "location"
HANDOVER = "handover"

_REFUSALS = (Code.LOCATION_CLOSED, Code.LOCATION_ON_VACATION, Code.LOCATION_OUT_OF_REACH)
_COSTS = {Handover.PICK_UP: CostKind.PICK_UP, Handover.CALL_OUT: CostKind.CALL_OUT}


def chosen_location(answers: AnswerContext) -> Mapping[str, Any]:
    return looked_up(answers, LOCATION, answers.text(LOCATION))


def offers(answers: AnswerContext) -> dict[Handover, Decimal | None]:
    return {
        Handover(entry["handover"]): Decimal(entry["cost"]) if entry["cost"] else None
        for entry in chosen_location(answers).get("handovers", ())
    }


def handover(answers: AnswerContext) -> Handover | None:
    methods = offers(answers)
    if len(methods) == 1:
        return next(iter(methods))
    answer = answers.text(HANDOVER)
    return next((method for method in methods if method == answer), None)


def handover_costs(answers: AnswerContext) -> list[Cost]:
    """The fee for pick-up or call-out as a list of one; empty if the handover is free."""
    method = handover(answers)
    if method is None or method not in _COSTS:
        return []
    fee = offers(answers)[method]
    return [] if fee is None else [Cost(_COSTS[method], fee)]


@dataclass(frozen=True, slots=True)
class _HandoverRule(OneValue):
    """Rule of the handover field: one of the methods."""

    options: Mapping[str, str]
    codes: tuple[Code, ...] = (Code.INVALID_CHOICE,)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002 - every rule gets all answers
        """The method. Whether the location offers it is checked by the rule of the step."""
        if given not in self.options:
            raise InvalidValue(Code.INVALID_CHOICE)
        return given


def _free_way(answers: AnswerContext) -> str:
    """The only way that the location offers, or the one that costs nothing; empty if all of several cost something."""
    ways = offers(answers)
    free = [way for way, cost in ways.items() if cost is None] if len(ways) > 1 else list(ways)
    return free[0].value if free else ""


def _has_one_way(answers: AnswerContext) -> bool:
    return len(offers(answers)) < 2


def _handover_offered(answers: AnswerContext) -> Findings:
    """Refuse a handover method that the location does not offer, if it offers several."""
    return {} if not offers(answers) or handover(answers) else {HANDOVER: Code.INVALID_CHOICE}


def _handover_field(*belongs_to: str, optional: bool | Condition = False) -> Field:
    return Field(
        HANDOVER,
        N_("How your bike gets there"),
        _HandoverRule({method.value: name for method, name in HANDOVER_NAMES.items()}),
        N_("Choose how your bike gets there."),
        optional=optional,
        belongs_to=belongs_to,
        control=Control.RADIO,
        proposed=_free_way,
    )


def location_step(title: str, *, with_handover: bool = False, missing: Code = Code.INVALID_INPUT) -> Step:
    field = Field(
        LOCATION,
        N_("Service location"),
        LookedUp(LOCATION, Code.INVALID_CHOICE, _REFUSALS),
        N_("Choose a location."),
        control=Control.RADIO,
    )
    handover_fields = (_handover_field(optional=_has_one_way),) if with_handover else ()
    return Step(
        "location",
        title,
        fields=(field, *handover_fields),
        rules=_handover_offered if with_handover else nothing,
        repeat_when=PLACE_FIELDS,
        missing=missing,
    )


def handover_step(*, missing: Code = Code.INVALID_INPUT) -> Step:
    return Step(
        "handover",
        N_("How does your bike get to the workshop?"),
        fields=(_handover_field(LOCATION),),
        rules=_handover_offered,
        repeat_when=(LOCATION, *PLACE_FIELDS),
        missing=missing,
    )
