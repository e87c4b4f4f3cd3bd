"""The flow that requests an insurance (part-2 §2 Insurance request, §5)."""

import re

from pydantic import Field as ModelField
from pydantic import field_validator

from portal.bikes.flow import BIKE, BikeEntry, bike_step, no_bike_left
from portal.flow import AnswerContext, FactsPart, Field, Findings, Flow, Iban, OneOf, Step, ValidatedText
from portal.insurance.rules import InsuranceOffer
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue, required
from portal.vocabulary.insurance import INSURANCE_TYPES, INSURER_NAMES, INSURING, InsuranceType, Insurer

TYPE, INSURER, KEY_NUMBER, IBAN, AGREED = "type", "insurer", "key_number", "iban", "agreed"
REFUSALS = (
    Code.INSURANCE_EXISTS,
    Code.INSURANCE_REQUEST_EXISTS,
    Code.INSURANCE_TERM_OVER,
    Code.FRAME_NUMBER_UNKNOWN,
    Code.ORDER_CANCELLED,
    Code.ALREADY_RETURNED,
    Code.BIKE_GOING_BACK,
)


def key_number(text: str) -> str:
    """Validate a key number: four to twelve letters and digits, at least one digit.

    Letters become capitals; blanks and dashes are removed.
    """
    value = re.sub(r"[\s-]", "", required(text, 40)).upper()
    if not re.fullmatch(r"(?=.*[0-9])[A-Z0-9]{4,12}", value):
        raise InvalidValue(Code.INVALID_KEY_NUMBER)
    return value


def takes_insurance(answers: AnswerContext) -> bool:
    """Whether the chosen type is an insurance; 'no insurance' and 'insured already' are not."""
    return answers.text(TYPE) in INSURING


def _may_take_insurance(answers: AnswerContext) -> bool:
    """Whether the account step is counted: also while no type is chosen."""
    return not answers.text(TYPE) or takes_insurance(answers)


class InsurableBike(BikeEntry):
    key_number: str = ""
    offers: dict[str, InsuranceOffer] = ModelField(default_factory=dict)

    @field_validator("offers", mode="before")
    @classmethod
    def _with_document(cls, found: dict[str, object]) -> dict[str, object]:
        """Offers of an earlier release have no document, so the customer sees them again."""
        return {key: offer for key, offer in found.items() if not isinstance(offer, dict) or "document_id" in offer}


class InsuranceFacts(FactsPart):
    bikes: list[InsurableBike] = ModelField(default_factory=list)


def chosen_bike(answers: AnswerContext) -> InsurableBike | None:
    return answers.chosen(InsuranceFacts.of(answers.facts).bikes, BIKE)


def chosen_offer(answers: AnswerContext) -> InsuranceOffer | None:
    bike = chosen_bike(answers)
    return bike.offers.get(f"{answers.text(INSURER)}-{answers.text(TYPE)}") if bike else None


def _is_offered(answers: AnswerContext) -> Findings:
    """Refuse an insurance that the shop does not offer for the bike."""
    return {INSURER: Code.INVALID_CHOICE} if takes_insurance(answers) and not chosen_offer(answers) else {}


BIKE_STEP = bike_step(
    N_("Which bike do you want to insure?"),
    refusals=REFUSALS,
    not_found=Code.MISSING_INSURANCE_BIKE,
    missing=Code.MISSING_INSURANCE_BIKE,
    ask=MESSAGES[Code.MISSING_INSURANCE_BIKE],
)

INSURANCE_STEP = Step(
    "insurance",
    N_("Which insurance do you want?"),
    fields=(
        Field(
            TYPE,
            N_("Your choice"),
            OneOf({kind.value: text for kind, text in INSURANCE_TYPES.items() if kind is not InsuranceType.UNKNOWN}),
            MESSAGES[Code.MISSING_INSURANCE],
        ),
        Field(
            INSURER,
            N_("Insurer"),
            OneOf({insurer.value: name for insurer, name in INSURER_NAMES.items() if insurer is not Insurer.UNKNOWN}),
            N_("Choose an insurer."),
            applies=takes_insurance,
        ),
        Field(
            KEY_NUMBER,
            N_("Key number"),
            ValidatedText(key_number, (Code.INVALID_KEY_NUMBER, Code.TOO_LONG)),
            hint=N_("On your key, for example B12345"),
            applies=takes_insurance,
            belongs_to=(BIKE,),
        ),
    ),
    rules=_is_offered,
    repeat_when=(BIKE,),
    missing=Code.MISSING_INSURANCE,
    invalid=Code.MISSING_INSURANCE,
)

ACCOUNT = Step(
    "account",
    N_("Which account should the premium be paid from?"),
    fields=(
        Field(IBAN, N_("IBAN"), Iban(), hint=N_("Starts with NL or BE, for example"), applies=takes_insurance),
        Field(
            AGREED,
            N_("Direct debit"),
            OneOf({"yes": N_("I agree that the premium is collected from this account every month.")}),
            N_("Agree to the direct debit first."),
            applies=takes_insurance,
        ),
    ),
    applies=_may_take_insurance,
    missing=Code.MISSING_IBAN,
    invalid=Code.INVALID_IBAN,
)

INSURANCE = Flow(
    "insurance-request",
    N_("Insure a bike"),
    intro=N_("Take out bike insurance"),
    steps=(BIKE_STEP, INSURANCE_STEP, ACCOUNT),
    check=N_("Check your insurance"),
    send=N_("Request insurance"),
    failure=N_("The insurance of your bike couldn’t be requested."),
    subject=BIKE,
    closed=no_bike_left,
    priced=takes_insurance,
)
