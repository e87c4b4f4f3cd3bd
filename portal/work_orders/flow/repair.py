"""The flow of a repair request (part-1 §2 Repair request flow)."""

from datetime import date, timedelta

from portal.account.flow import address_step
from portal.bikes.flow import BIKE, PIN_STEP, BikeFacts, bike_step, no_bike_left
from portal.bikes.rules import RepairCost
from portal.contract.account import LocalizedText
from portal.contract.models import Model
from portal.flow import (
    AnswerContext,
    Control,
    FactsPart,
    Field,
    Files,
    Findings,
    Flow,
    Month,
    OneOf,
    Refusals,
    SomeOf,
    Step,
    Words,
    Year,
    answered,
    not_in_the_future,
)
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import REASON_MOST, REPAIR_DETAILS_LEAST, REPAIR_FILES_LEAST, REPAIR_FILES_MOST
from portal.kernel.texts import N_
from portal.locations.flow import handover_costs, handover_step, location_step

PARTS: dict[str, str] = {
    "chain": N_("Chain"),
    "wheels": N_("Wheels or tyres"),
    "frame": N_("Frame"),
    "motor": N_("Pedal assist or motor"),
    "battery": N_("Battery"),
    "brakes": N_("Brakes"),
    "carrier": N_("Luggage rack"),
    "handlebars": N_("Handlebars"),
    "saddle": N_("Saddle"),
    "gears": N_("Gears"),
    "pedals": N_("Pedals or crank"),
    "other": N_("Something else"),
}
"""Parts of a bike, in the order of part-1 §3."""

COMMON: tuple[tuple[str, str, str], ...] = (
    ("wheels", N_("Flat tyre"), N_("The tyre is flat and loses air again when I pump it up.")),
    ("brakes", N_("Weak brakes"), N_("The brakes squeal, or don’t stop as well as before.")),
    ("gears", N_("Slipping gears"), N_("The gears slip, or don’t change as they should.")),
    ("chain", N_("Noisy chain"), N_("The chain makes a noise when I ride, or comes off.")),
    ("motor", N_("No pedal assist"), N_("The motor doesn’t assist me, or the display shows an error.")),
    ("battery", N_("Battery runs out fast"), N_("The battery won’t charge, or runs out sooner than before.")),
)
"""What is reported most: the part, what its button says, and a description to begin with."""


class ExpectedCost(Model):
    """What the repair probably costs, and by which rule. `choice` is empty once the warranty has expired."""

    cost: RepairCost
    until: date
    title: LocalizedText
    rule: LocalizedText
    choice: LocalizedText


class WarrantyFacts(FactsPart):
    warranty: ExpectedCost | None = None


KNOWN, NEVER, UNSURE = "known", "never", "unsure"

LAST_MAINTENANCE: dict[str, str] = {
    KNOWN: N_("I know the month"),
    NEVER: N_("Not serviced yet"),
    UNSURE: N_("I don’t remember"),
}
"""Answers to the question when the bike was last maintained."""


def details_of(part: str) -> str:
    """The name of the field that describes the damage to a part."""
    return f"details_{part}"


def _details(part: str, label: str) -> Field:
    return Field(
        details_of(part),
        N_("Description"),
        Words(REPAIR_DETAILS_LEAST, REASON_MOST),
        about=label,
        applies=lambda answers: part in answers.several("parts"),
        control=Control.AREA,
    )


_month_known = answered("maintenance", KNOWN)

NEW_BIKE_DAYS = 30
"""Days after its delivery in which a bike is not asked for its last service."""


def _had_since(answers: AnswerContext) -> date | None:
    """The day since which the customer has the chosen bike; None while it is unknown."""
    bike = BikeFacts.chosen(answers)
    return bike.since if bike else None


def _may_be_serviced(answers: AnswerContext) -> bool:
    """Whether the chosen bike is old enough for a service."""
    since = _had_since(answers)
    return since is None or answers.day >= since + timedelta(days=NEW_BIKE_DAYS)


def _not_before_the_bike(answers: AnswerContext) -> Findings:
    """Refuse a month before the customer had the bike."""
    since = _had_since(answers)
    if since is None or not _month_known(answers):
        return {}
    month = date(int(answers.text("maintenance_year")), int(answers.text("maintenance_month")), 1)
    return {"maintenance_month": Code.DATE_BEFORE_BIKE} if month < since.replace(day=1) else {}


BIKE_STEP = bike_step(
    N_("Which bike needs a repair?"),
    not_found=Code.REPAIR_REQUEST_LINE_NOT_FOUND,
    missing=Code.MISSING_REPAIR_ORDER_LINE_ID,
    ask=MESSAGES[Code.MISSING_REPAIR_ORDER_LINE_ID],
)

DAMAGE = Step(
    "damage",
    N_("What’s broken?"),
    fields=(
        Field("parts", N_("Parts"), SomeOf(PARTS), N_("Choose what’s broken.")),
        *(_details(part, label) for part, label in PARTS.items()),
    ),
    repeat_when=(BIKE,),
    missing=Code.MISSING_REPAIR_DETAILS,
)

MAINTENANCE = Step(
    "maintenance",
    N_("When was your bike last serviced?"),
    fields=(
        Field(
            "maintenance",
            N_("Last service"),
            OneOf(LAST_MAINTENANCE),
            MESSAGES[Code.MISSING_REPAIR_LAST_MAINTENANCE_DATE],
        ),
        Field(
            "maintenance_month",
            N_("Month"),
            Month(codes=(Code.INVALID_MONTH, Code.DATE_BEFORE_BIKE)),
            applies=_month_known,
        ),
        Field("maintenance_year", N_("Year"), Year(), applies=_month_known),
    ),
    rules=_not_before_the_bike,
    warns=not_in_the_future("maintenance_month", "maintenance_year"),
    applies=_may_be_serviced,
    repeat_when=(BIKE,),
    missing=Code.MISSING_REPAIR_LAST_MAINTENANCE_DATE,
    invalid=Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE,
)

PHOTOS = Step(
    "photos",
    N_("Can you show us what’s broken?"),
    fields=(
        Field(
            "photos",
            N_("Photos or videos"),
            Files(REPAIR_FILES_LEAST, REPAIR_FILES_MOST),
            required_by="repair_uploads_required",
        ),
    ),
    repeat_when=(BIKE,),
    missing=Code.MISSING_REPAIR_UPLOADED_FILES,
    invalid=Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES,
)
"""Takes 1 to 5 photos, videos or PDFs (part-1 §5, §12)."""

ADDRESS_STEP = address_step()
LOCATION_STEP = location_step(N_("Where should your bike be repaired?"))
HANDOVER_STEP = handover_step()

REPAIR = Flow(
    "repair-request",
    N_("Request a repair"),
    intro=N_("Request a repair"),
    steps=(BIKE_STEP, PIN_STEP, DAMAGE, MAINTENANCE, PHOTOS, ADDRESS_STEP, LOCATION_STEP, HANDOVER_STEP),
    send=N_("Request repair"),
    sent=N_("We’ve got your repair request"),
    failure=N_("Repair couldn’t be requested."),
    subject=BIKE,
    closed=no_bike_left,
    costs=handover_costs,
    refusals=Refusals(
        no_key=Code.MISSING_REPAIR_HASH,
        wrong_key=Code.REPAIR_REQUEST_INVALID_HASH,
        sent=Code.REPAIR_REQUEST_INVALID_STATUS,
        no_files=Code.MISSING_REPAIR_FILES,
    ),
)
