"""The flow of a service request (part-1 §2 Service request flow)."""

from portal.account.flow import address_step
from portal.bikes.flow import BIKE, OF_WORK_ORDERS, PIN_STEP, bike_step, no_bike_left
from portal.contract.models import Model, OptionalAmount
from portal.flow import AnswerContext, Control, FactsPart, Field, Flow, Step
from portal.flow.model import LookedUp
from portal.kernel.codes import Code
from portal.kernel.texts import N_, Cost, CostKind
from portal.locations.flow import handover_costs, location_step
from portal.vocabulary.services import JOB_NAMES, JOBS

JOB = "job"


class ChosenJob(Model):
    """The chosen job, and its price for the chosen bike. `refusal` is empty if it can be chosen."""

    id: str
    refusal: str = ""
    price: OptionalAmount = None
    reduced: OptionalAmount = None
    drive: str = ""


class JobFacts(FactsPart):
    job: ChosenJob | None = None


def service_costs(answers: AnswerContext) -> list[Cost]:
    """List the costs: the job, the discount of the service package, and the handover of the bike.

    Empty until the price of the chosen job is known.
    """
    found = answers.part(JobFacts).job
    if found is None or found.id != answers.text(JOB) or found.price is None:
        return []
    costs = [Cost(CostKind.SERVICE_JOB, found.price)]
    if found.reduced is not None:
        costs.append(Cost(CostKind.PACKAGE_DISCOUNT, found.reduced - found.price))
    return costs + handover_costs(answers)


BIKE_STEP = bike_step(
    N_("Which bike needs a service?"),
    refusals=(*OF_WORK_ORDERS, Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID),
    missing=Code.SERVICE_REQUEST_NOT_VALID,
)

JOB_STEP = Step(
    "job",
    N_("Which service would you like?"),
    fields=(
        Field(
            JOB,
            N_("Service"),
            LookedUp(JOB, Code.SERVICE_REQUEST_NOT_VALID, options={job.value: JOB_NAMES[job] for job in JOBS}),
            N_("Choose a service."),
            control=Control.RADIO,
        ),
    ),
    repeat_when=(BIKE,),
    missing=Code.SERVICE_REQUEST_NOT_VALID,
)

ADDRESS_STEP = address_step(missing=Code.SERVICE_REQUEST_NOT_VALID)

LOCATION_STEP = location_step(
    N_("Where should your bike be serviced?"), with_handover=True, missing=Code.SERVICE_REQUEST_NOT_VALID
)

SERVICE = Flow(
    "service-request",
    N_("Request a service"),
    intro=N_("Request a service for your bike"),
    steps=(BIKE_STEP, PIN_STEP, JOB_STEP, ADDRESS_STEP, LOCATION_STEP),
    send=N_("Request service"),
    sent=N_("Your service has been requested"),
    failure=N_("Service couldn’t be requested."),
    subject=BIKE,
    closed=no_bike_left,
    costs=service_costs,
)
