"""Request a repair (part-1 §2 Repair request flow; decisions: Routes)."""

from __future__ import annotations

from portal.domain.codes import Code
from portal.domain.flow import (
    Asked,
    Control,
    Field,
    FileKind,
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
    lies_ahead,
)
from portal.domain.marks import N_
from portal.domain.terms import REASON_MOST, REPAIR_DETAILS_LEAST, REPAIR_FILES_LEAST, REPAIR_FILES_MOST
from portal.flows.address import address_step
from portal.flows.bike import BIKE, PIN_STEP, bike_field, no_bike_left
from portal.flows.location import handover_step, location_step

PARTS: dict[str, str] = {
    "chain": N_("Chain"),
    "wheels": N_("Wheels or tyres"),
    "frame": N_("Frame"),
    "motor": N_("Support or motor"),
    "battery": N_("Battery"),
    "brakes": N_("Brakes"),
    "carrier": N_("Baggage carrier"),
    "handlebars": N_("Handlebars"),
    "saddle": N_("Saddle"),
    "gears": N_("Gears"),
    "pedals": N_("Pedals or crank"),
    "other": N_("Something else"),
}
"""Parts of a bike in the order of part-1 §3."""
DETAILS = Words(REPAIR_DETAILS_LEAST, REASON_MOST)
"""More than 30 and at most 1000 characters for each part (decisions: Rules)."""
PHOTOS = "photos"
UPLOADS = Files(REPAIR_FILES_LEAST, REPAIR_FILES_MOST, frozenset(FileKind))
"""1 to 5 photos or videos, or a PDF (decisions: Rules; part-1 §5 and its Dutch text)."""
KNOWN, NEVER, UNSURE = "known", "never", "unsure"
"""Answers to the question for the last maintenance."""


def details_of(part: str) -> str:
    """Name of the field that describes what is wrong with a part."""
    return f"details_{part}"


def _details(part: str, label: str) -> Field:
    return Field(
        details_of(part),
        N_("Description"),
        DETAILS,
        about=label,
        applies=lambda asked: part in asked.several("parts"),
        control=Control.AREA,
    )


def _in_a_month(asked: Asked) -> bool:
    return asked.text("maintenance") == KNOWN


def _maintenance_ahead(asked: Asked) -> Findings:
    ahead = _in_a_month(asked) and lies_ahead(
        asked.text("maintenance_month"), asked.text("maintenance_year"), asked.day
    )
    return {"maintenance_month": Code.DATE_IN_FUTURE} if ahead else {}


REPAIR = Flow(
    "repair-request",
    N_("Request a repair"),
    (
        Step("", N_("Report a repair")),
        Step(
            "step-1",
            N_("Which bike needs a repair?"),
            fields=(
                bike_field(
                    N_("Bike"),
                    unknown=Code.REPAIR_REQUEST_LINE_NOT_FOUND,
                    further=(Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE,),
                ),
            ),
            missing=Code.MISSING_REPAIR_ORDER_LINE_ID,
        ),
        PIN_STEP,
        Step(
            "step-2",
            N_("What is broken?"),
            fields=(
                Field("parts", N_("Parts"), SomeOf(PARTS), control=Control.CHECKBOX),
                *(_details(part, label) for part, label in PARTS.items()),
            ),
            asked_again=(BIKE,),
            missing=Code.MISSING_REPAIR_DETAILS,
        ),
        Step(
            "step-3",
            N_("When was the bike maintained last?"),
            fields=(
                Field(
                    "maintenance",
                    N_("Last maintenance"),
                    OneOf(
                        {
                            KNOWN: N_("In a month that I know"),
                            NEVER: N_("Not maintained yet"),
                            UNSURE: N_("I don't remember"),
                        }
                    ),
                    control=Control.RADIO,
                ),
                Field("maintenance_month", N_("Month"), Month(), applies=_in_a_month),
                Field("maintenance_year", N_("Year"), Year(), applies=_in_a_month, control=Control.DIGITS),
            ),
            warnings=_maintenance_ahead,
            asked_again=(BIKE,),
            missing=Code.MISSING_REPAIR_LAST_MAINTENANCE_DATE,
            invalid=Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE,
        ),
        Step(
            "step-4",
            N_("Can you show what is broken?"),
            fields=(Field(PHOTOS, N_("Photos or videos"), UPLOADS, control=Control.FILES),),
            asked_again=(BIKE,),
            missing=Code.MISSING_REPAIR_UPLOADED_FILES,
            invalid=Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES,
        ),
        address_step("step-5"),
        location_step("step-6", N_("Where should your bike be repaired?"), with_handover=False),
        handover_step("step-7"),
        Step("step-8", N_("Check your request")),
    ),
    send=N_("Report repair"),
    failure=N_("Repair could not be reported."),
    subject=BIKE,
    closed=no_bike_left,
    sent=N_("Your repair has been reported"),
    next_steps=(
        N_("A mechanic looks at your request and contacts you within {repair_answer_days} business days."),
        N_("Together you agree when and where your bike is repaired."),
        N_("Have you heard nothing after {silence_weeks} weeks? Then contact us."),
    ),
    refusals=Refusals(
        no_key=Code.MISSING_REPAIR_HASH,
        wrong_key=Code.REPAIR_REQUEST_INVALID_HASH,
        sent=Code.REPAIR_REQUEST_INVALID_STATUS,
        no_files=Code.MISSING_REPAIR_FILES,
    ),
)
