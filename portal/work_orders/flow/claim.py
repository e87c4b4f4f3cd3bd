"""The flow of an insurance claim (part-1 §2 Claim request flow, §3 Claim, §4 Claim journey)."""

import re

from portal.bikes.flow import BIKE, PIN_STEP, BikeEntry, BikeFacts, bike_step, no_bike_left
from portal.flow import (
    LINE,
    AnswerContext,
    Control,
    FactsPart,
    Field,
    Flow,
    Iban,
    OneOf,
    SomeOf,
    Step,
    ValidatedText,
    Words,
    answered,
)
from portal.flow.rules import Files
from portal.kernel.codes import Code
from portal.kernel.terms import CLAIM_FILES_LEAST, CLAIM_FILES_MOST, REASON_LEAST, REASON_MOST
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue, required
from portal.vocabulary.files import PHOTOS, FileKind
from portal.work_orders.flow.repair import PARTS


class ClaimBike(BikeEntry):
    policy_number: str = ""
    """Empty if it is not insured through the retailer."""


class HolderFacts(FactsPart):
    holder: str = ""
    """The name of the customer."""


WAIT, NOW = "wait", "now"
"""The two ways to handle a claim (part-1 §4): wait for the insurer's approval, or repair immediately."""

HANDLINGS: dict[str, str] = {WAIT: N_("Wait for the insurer’s approval"), NOW: N_("Repair immediately")}

ACCOUNT, BY_INSURER = "account", "insurer"

METHODS: dict[str, str] = {ACCOUNT: N_("To my bank account"), BY_INSURER: N_("I’ll arrange it with the insurer myself")}
"""The ways in which the insurer can pay the customer back."""

_to_account = answered("method", ACCOUNT)
_KINDS = PHOTOS | {FileKind.PDF}


def policy_number(text: str) -> str:
    """Validate a policy number and convert it to upper case.

    Insurers share no format, so the check is loose: 4 to 40 letters, digits, blanks and `./-`, with at least one digit,
    and a letter or digit at both ends.
    """
    value = required(text, 40).upper()
    if not re.fullmatch(r"[A-Z0-9][A-Z0-9 ./-]{2,38}[A-Z0-9]", value) or not re.search("[0-9]", value):
        raise InvalidValue(Code.INVALID_POLICY_NUMBER)
    return value


def _known_policy(answers: AnswerContext) -> str:
    bike = BikeFacts[ClaimBike].chosen(answers)
    return bike.policy_number if bike else ""


def insured_with_us(answers: AnswerContext) -> bool:
    """Whether the chosen bike is insured through the retailer."""
    return bool(_known_policy(answers))


def _advances(answers: AnswerContext) -> bool:
    """Whether the customer pays first and is paid back. True until the question is answered."""
    return answers.text("handling") != WAIT


BIKE_STEP = bike_step(N_("Which bike is damaged?"))

PARTS_STEP = Step(
    "parts",
    N_("Which parts are damaged?"),
    fields=(Field("parts", N_("Parts"), SomeOf(PARTS), N_("Choose what’s damaged.")),),
    repeat_when=(BIKE,),
)

POLICY = Step(
    "policy",
    N_("What is your policy number?"),
    fields=(
        Field("insurer", N_("Insurer"), LINE, applies=lambda answers: not insured_with_us(answers), belongs_to=(BIKE,)),
        Field(
            "policy_number",
            N_("Policy number"),
            ValidatedText(policy_number, (Code.TOO_LONG, Code.INVALID_POLICY_NUMBER)),
            belongs_to=(BIKE,),
            proposed=_known_policy,
        ),
    ),
    repeat_when=(BIKE,),
)

CAUSE_STEP = Step(
    "cause",
    N_("How did the damage happen?"),
    fields=(
        Field(
            "cause",
            N_("Description"),
            Words(REASON_LEAST, REASON_MOST),
            hint=N_("When and where it was, what happened, and who else was there"),
            control=Control.AREA,
            suggestions=(
                N_("Someone hit my bike while it was parked."),
                N_("I fell off my bike and no one else was involved."),
                N_("My bike was stolen while it was locked."),
            ),
        ),
    ),
    repeat_when=(BIKE,),
)

HANDLING = Step(
    "handling",
    N_("How would you like to handle the damage?"),
    fields=(Field("handling", N_("Handling"), OneOf(HANDLINGS), N_("Choose how we should handle the damage.")),),
)

PHOTOS_STEP = Step(
    "photos",
    N_("Add photos of the damage"),
    fields=(
        Field("photos", N_("Photos of the damage"), Files(CLAIM_FILES_LEAST, CLAIM_FILES_MOST, _KINDS, photo=True)),
    ),
    repeat_when=(BIKE,),
)

REPAYMENT = Step(
    "repayment",
    N_("How does the insurer pay you back?"),
    fields=(
        Field("method", N_("Reimbursement"), OneOf(METHODS), N_("Choose how the insurer pays you back.")),
        Field("account_holder", N_("Account holder"), LINE, applies=_to_account, autocomplete="name"),
        Field("iban", N_("IBAN"), Iban(), applies=_to_account),
        Field(
            "copies", N_("Receipts and invoices you already have"), Files(0, CLAIM_FILES_MOST, _KINDS), optional=True
        ),
    ),
    applies=_advances,
)

CLAIM = Flow(
    "claim-request",
    N_("Claim for damage"),
    intro=N_("Claim for damage to your bike"),
    steps=(BIKE_STEP, PARTS_STEP, POLICY, CAUSE_STEP, PIN_STEP, HANDLING, PHOTOS_STEP, REPAYMENT),
    check=N_("Check your claim"),
    send=N_("Submit claim"),
    sent=N_("Your claim has been submitted"),
    failure=N_("Claim could not be submitted."),
    advice=N_("There may already be an open request for this bike. Try again or contact us."),
    subject=BIKE,
    closed=no_bike_left,
)
"""The claim flow (part-1 §2 Claim request flow)."""
