"""Take out a service package (part-1 §2 Service package page; part-2 §3)."""

from __future__ import annotations

from portal.domain.codes import Code
from portal.domain.flow import Asked, Control, Facts, Field, Flow, Offered, OneOf, Step
from portal.domain.marks import N_
from portal.domain.service_packages import NO_PACKAGES, OFFERS, PackageOffer
from portal.flows.bike import BIKE, BIKES
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES, ServicePackage

PACKAGE = "package"
REFUSALS = (Code.PACKAGE_EXISTS, Code.FRAME_NUMBER_UNKNOWN, Code.ORDER_CANCELLED, Code.ALREADY_RETURNED)
"""With which a bike is refused."""
CHOICES: dict[str, str] = {
    entry.code.value: SERVICE_PACKAGE_NAMES[entry.code] for entry in OFFERS if entry.code not in NO_PACKAGES
}
"""What can be taken out: every package but 'none'."""


def chosen_offer(asked: Asked) -> PackageOffer | None:
    """The package that was chosen; none while there is no answer."""
    code = asked.text(PACKAGE)
    return next((entry for entry in OFFERS if entry.code.value == code), None) if code in CHOICES else None


def has_room(package: ServicePackage | None) -> bool:
    """Whether a bike with this package can get one."""
    return package in NO_PACKAGES


def _nothing_left(facts: Facts) -> Code | None:
    refusals = [entry["refusal"] for entry in facts.get(BIKES, ())]
    if not refusals:
        return Code.REPAIR_REQUEST_LINE_NOT_FOUND
    return None if "" in refusals else Code(refusals[0])


SERVICE_PACKAGE = Flow(
    "service-package",
    N_("Take out a service package"),
    (
        Step("", N_("Choose a service package")),
        Step(
            "step-1",
            N_("For which bike is the service package?"),
            fields=(
                Field(
                    BIKE,
                    N_("Bike"),
                    Offered(BIKES, REFUSALS, Code.REPAIR_REQUEST_LINE_NOT_FOUND),
                    control=Control.RADIO,
                ),
            ),
            missing=Code.MISSING_PACKAGE,
        ),
        Step(
            "step-2",
            N_("Which service package do you want?"),
            fields=(Field(PACKAGE, N_("Service package"), OneOf(CHOICES), control=Control.RADIO),),
            asked_again=(BIKE,),
            missing=Code.MISSING_PACKAGE,
            invalid=Code.MISSING_PACKAGE,
        ),
        Step("step-3", N_("Check your service package")),
    ),
    send=N_("Take out service package"),
    failure=N_("The service package could not be taken out."),
    subject=BIKE,
    closed=_nothing_left,
)
