"""Where a bike is serviced, and how it gets there (part-1 §2 Service request flow, §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from portal.account.flow import PLACE_FIELDS
from portal.flow import Answer, AnswerContext, Control, Field, Findings, OneValue, Step, nothing
from portal.flow.model import LookedUp, looked_up
from portal.kernel.codes import Code
from portal.kernel.money import Cost, CostKind
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue
from portal.vocabulary.locations import HANDOVER_NAMES, Handover

LOCATION = "location"
"""Name of the field, and of the fact that tells about the location that was chosen."""

HANDOVER = "handover"

_REFUSALS = (Code.LOCATION_CLOSED, Code.LOCATION_ON_VACATION, Code.LOCATION_OUT_OF_REACH)

_COSTS = {Handover.PICK_UP: CostKind.PICK_UP, Handover.CALL_OUT: CostKind.CALL_OUT}


def chosen_location(answers: AnswerContext) -> Mapping[str, Any]:
    """The location that was chosen; empty while none is."""
    return looked_up(answers, LOCATION, answers.text(LOCATION))


def offers(answers: AnswerContext) -> dict[Handover, Decimal | None]:
    """The ways to hand over the bike that the chosen location offers, and what each costs; none costs nothing."""
    return {
        Handover(entry["handover"]): Decimal(entry["cost"]) if entry["cost"] else None
        for entry in chosen_location(answers).get("handovers", ())
    }


def handover(answers: AnswerContext) -> Handover | None:
    """How the bike and the mechanic meet: as was answered, or the only way there is."""
    methods = offers(answers)
    if len(methods) == 1:
        return next(iter(methods))
    answer = answers.text(HANDOVER)
    return next((method for method in methods if method == answer), None)


def handover_costs(answers: AnswerContext) -> list[Cost]:
    """The fee of picking up the bike, or of the mechanic who comes."""
    method = handover(answers)
    if method is None or method not in _COSTS:
        return []
    fee = offers(answers)[method]
    return [] if fee is None else [Cost(_COSTS[method], fee)]


@dataclass(frozen=True, slots=True)
class _OneMethod(OneValue):
    """A way to hand over the bike."""

    options: Mapping[str, str]
    codes: tuple[Code, ...] = (Code.INVALID_CHOICE,)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:  # noqa: ARG002
        """The way. Whether the location offers it is a matter of the whole step."""
        if given not in self.options:
            raise InvalidValue(Code.INVALID_CHOICE)
        return given


def _agreed(answers: AnswerContext) -> Findings:
    """Whether a way was chosen, where the location leaves a choice."""
    return {} if len(offers(answers)) < 2 or handover(answers) else {HANDOVER: Code.REQUIRED}


def _offered(answers: AnswerContext) -> Findings:
    """Whether the way that was answered is one that the location offers."""
    methods = offers(answers)
    return {} if not methods or answers.text(HANDOVER) in methods else {HANDOVER: Code.INVALID_CHOICE}


def _handover_field(*belongs_to: str, optional: bool) -> Field:
    return Field(
        HANDOVER,
        N_("How your bike gets there"),
        _OneMethod({method.value: name for method, name in HANDOVER_NAMES.items()}),
        optional=optional,
        belongs_to=belongs_to,
        control=Control.RADIO,
    )


def location_step(title: str, *, with_handover: bool = False, missing: Code = Code.INVALID_INPUT) -> Step:
    """The step that asks for the location.

    Args:
        title: the question, English.
        with_handover: whether it also asks how the bike gets there, where a location leaves a choice.
        missing: the code for a request that lacks it.
    """
    field = Field(
        LOCATION, N_("Service location"), LookedUp(LOCATION, Code.INVALID_CHOICE, _REFUSALS), control=Control.RADIO
    )
    more = (_handover_field(optional=True),) if with_handover else ()
    return Step(
        "location",
        title,
        fields=(field, *more),
        rules=_agreed if with_handover else nothing,
        repeat_when=PLACE_FIELDS,
        missing=missing,
    )


def handover_step(*, missing: Code = Code.INVALID_INPUT) -> Step:
    """The step that asks how the bike gets to the location.

    Args:
        missing: the code for a request that lacks it.
    """
    return Step(
        "handover",
        N_("How does your bike get to the workshop?"),
        fields=(_handover_field(LOCATION, optional=False),),
        rules=_offered,
        repeat_when=(LOCATION, *PLACE_FIELDS),
        missing=missing,
    )
