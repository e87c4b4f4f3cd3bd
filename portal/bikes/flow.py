"""Steps that flows about a bike share: which bike, and the pin code of its lock (part-1 §2)."""

import re
from datetime import date
from typing import Generic, TypeVar

from pydantic import Field as ModelField

from portal.contract.models import Model, Picture
from portal.flow import AnswerContext, Control, Facts, FactsPart, Field, Offered, OneOf, Step, ValidatedText, answered
from portal.kernel.codes import Code
from portal.kernel.terms import PIN_LEAST, PIN_MOST
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue, required


class BikeEntry(Model):
    """A bike that a flow can be about.

    `refusal`: the code of the reason why it cannot be chosen; empty if it can.
    `open_request`, `open_kind`: reference and kind of its open request; empty without one.
    `pin`: whether it has a pin code.
    `since`: the day from which its warranty counts.
    """

    id: str
    refusal: str = ""
    open_request: str = ""
    open_kind: str = ""
    pin: bool = False
    name: str = ""
    motor: bool = True
    color: str = ""
    picture: Picture = Picture()
    frame_number: str = ""
    order_number: str = ""
    order_date: date | None = None
    since: date | None = None


class MoreBikes(Model):
    total: int
    left: bool
    """Whether any of them can be chosen."""


B = TypeVar("B", bound=BikeEntry)


class BikeFacts(FactsPart, Generic[B]):
    """A page of bikes, newest order first, and the chosen one if it is on another."""

    bikes: list[B] = ModelField(default_factory=list)
    more_bikes: MoreBikes | None = None

    @classmethod
    def chosen(cls, answers: AnswerContext) -> B | None:
        return answers.chosen(answers.part(cls).bikes, BIKE)


BIKE = "bike"
PAGE_OF_BIKES = 10
"""Bikes on one page of a list, and of the step that chooses one."""

PIN_KNOWN, PIN_UNKNOWN = "known", "unknown"
OF_WORK_ORDERS = (
    Code.OPEN_WORK_ORDER_EXISTS,
    Code.FRAME_NUMBER_UNKNOWN,
    Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE,
    Code.BIKE_GOING_BACK,
)
"""Codes with which a flow that creates a work order refuses a bike."""


def bike_step(
    title: str,
    *,
    refusals: tuple[Code, ...] = OF_WORK_ORDERS,
    not_found: Code = Code.INVALID_CHOICE,
    missing: Code = Code.INVALID_INPUT,
    ask: str = N_("Choose a bike."),
) -> Step:
    field = Field(BIKE, N_("Bike"), Offered("bikes", refusals, not_found), ask)
    return Step("bike", title, fields=(field,), missing=missing)


def no_bike_left(facts: Facts) -> Code | None:
    """Why no bike can be chosen; None if at least one can."""
    found = BikeFacts.of(facts)
    refusals = [bike.refusal for bike in found.bikes]
    if not refusals:
        return Code.REPAIR_REQUEST_LINE_NOT_FOUND
    left = "" in refusals or (found.more_bikes and found.more_bikes.left)
    return None if left else Code(refusals[0])


def pin_code(text: str) -> str:
    """Validate a pin code: four to eight digits. Blanks and dashes are removed."""
    value = re.sub(r"[\s-]", "", required(text, 40))
    if not re.fullmatch(rf"[0-9]{{{PIN_LEAST},{PIN_MOST}}}", value):
        raise InvalidValue(Code.INVALID_PIN_CODE)
    return value


def has_pin(answers: AnswerContext) -> bool:
    bike = BikeFacts.chosen(answers)
    return bike is not None and bike.pin


PIN_STEP = Step(
    "pincode",
    N_("What is the pin code of the lock?"),
    fields=(
        Field(
            "pin_known",
            N_("Pin code"),
            OneOf({PIN_KNOWN: N_("I know the pin code"), PIN_UNKNOWN: N_("I don’t know the pin code")}),
            N_("Choose whether you know the pin code."),
            belongs_to=(BIKE,),
        ),
        Field(
            "pin_code",
            N_("Pin code of the lock"),
            ValidatedText(pin_code, (Code.INVALID_PIN_CODE, Code.WRONG_PIN_CODE)),
            hint=N_("{pin_least} to {pin_most} digits"),
            applies=answered("pin_known", PIN_KNOWN),
            belongs_to=(BIKE,),
            control=Control.DIGITS,
        ),
    ),
    applies=has_pin,
    extra=True,
)
"""Asked if the bike has a pin code. Only the provider can check that the code is right."""
