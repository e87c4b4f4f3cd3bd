"""The flow that takes out a service package (part-1 §2 Service package page; part-2 §3)."""

from pydantic import Field as ModelField

from portal.bikes.flow import BIKE, bike_step, no_bike_left
from portal.flow import AnswerContext, FactsPart, Field, Flow, OneOf, Step
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.service_packages.rules import PackageOffer
from portal.vocabulary.services import NO_PACKAGES, SERVICE_PACKAGE_NAMES, ServicePackage

PACKAGE = "package"
REFUSALS = (
    Code.PACKAGE_EXISTS,
    Code.FRAME_NUMBER_UNKNOWN,
    Code.ORDER_CANCELLED,
    Code.ALREADY_RETURNED,
    Code.BIKE_GOING_BACK,
)
CHOICES: dict[str, str] = {
    code.value: SERVICE_PACKAGE_NAMES[code] for code in ServicePackage if code not in NO_PACKAGES
}
"""Codes and names of the packages that can be taken out: all except 'none'."""


class PackageFacts(FactsPart):
    packages: list[PackageOffer] = ModelField(default_factory=list)


def offers(answers: AnswerContext) -> list[PackageOffer]:
    return [offer for offer in PackageFacts.of(answers.facts).packages if offer.id in CHOICES]


def chosen_offer(answers: AnswerContext) -> PackageOffer | None:
    return answers.chosen(offers(answers), PACKAGE)


def can_take_package(current: ServicePackage | None) -> bool:
    return current in NO_PACKAGES


BIKE_STEP = bike_step(
    N_("Which bike is the service package for?"),
    refusals=REFUSALS,
    not_found=Code.REPAIR_REQUEST_LINE_NOT_FOUND,
    missing=Code.MISSING_PACKAGE,
)

PACKAGE_STEP = Step(
    "package",
    N_("Which service package would you like?"),
    fields=(Field(PACKAGE, N_("Service package"), OneOf(CHOICES), MESSAGES[Code.MISSING_PACKAGE]),),
    repeat_when=(BIKE,),
    missing=Code.MISSING_PACKAGE,
    invalid=Code.MISSING_PACKAGE,
)

SERVICE_PACKAGE = Flow(
    "service-package",
    N_("Take out a service package"),
    intro=N_("Choose a service package"),
    steps=(BIKE_STEP, PACKAGE_STEP),
    check=N_("Check your service package"),
    send=N_("Take out service package"),
    failure=N_("The service package couldn’t be taken out."),
    subject=BIKE,
    closed=no_bike_left,
    priced=lambda answers: bool(chosen_offer(answers)),
)
