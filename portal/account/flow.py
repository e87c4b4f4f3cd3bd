"""The address step of the flows: the stored address, or another one that the customer types (part-1 §5)."""

from dataclasses import dataclass

from pydantic import Field as ModelField

from portal.flow import (
    LINE,
    Answer,
    AnswerContext,
    Control,
    FactsPart,
    Field,
    OneOf,
    OneValue,
    Postcode,
    Step,
    ValidatedText,
)
from portal.kernel import address, validation
from portal.kernel.address import NAMES, PICKUP_COUNTRIES, Country
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.vocabulary.customers import ADDRESS_LABELS

ADDRESS = "address"

KNOWN, OTHER = "known", "other"
PARTS = (*address.PARTS, "country_code")
"""Names of the parts of an address, in facts and in requests."""

PLACE_FIELDS = (ADDRESS, "country_code", "post_code", "city", "house_number", "street")
"""Fields that locate the customer. If one changes, questions about places nearby are asked again."""


class AddressFacts(FactsPart):
    """The stored address of the customer, empty if none is usable, and the phone number."""

    address: dict[str, str] = ModelField(default_factory=dict)
    phone: str = ""


def known_address(answers: AnswerContext) -> dict[str, str]:
    return answers.part(AddressFacts).address


def home(answers: AnswerContext) -> dict[str, str]:
    """The answered address, part by part, with the phone number; empty until the customer has answered."""
    known = known_address(answers)
    if known and answers.text(ADDRESS) == KNOWN:
        found = {name: known.get(name, "") for name in PARTS}
    elif answers.text("post_code"):
        found = {name: answers.text(name) for name in PARTS}
    else:
        return {}
    return {**found, "phone": answers.text("phone")}


def _is_known(answers: AnswerContext) -> bool:
    return bool(known_address(answers))


def _is_other(answers: AnswerContext) -> bool:
    return not _is_known(answers) or answers.text(ADDRESS) == OTHER


@dataclass(frozen=True, slots=True)
class _Phone(OneValue):
    """A phone number; a national number is parsed for the country of the address."""

    codes: tuple[Code, ...] = (Code.INVALID_PHONE, Code.TOO_LONG)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Normalize the number to E.164."""
        code = answers.text("country_code") if _is_other(answers) else known_address(answers).get("country_code", "")
        country = Country(code) if code in set(PICKUP_COUNTRIES) else Country.NL
        return validation.phone(str(given), country)


def _optional(text: str) -> str:
    return validation.optional(text)


def address_step(*, missing: Code = Code.INVALID_INPUT) -> Step:
    return Step(
        "address",
        N_("Is this your address?"),
        fields=(
            Field(
                ADDRESS,
                N_("Address"),
                OneOf({KNOWN: N_("Use this address"), OTHER: N_("Use another address")}),
                N_("Choose an address."),
                applies=_is_known,
                proposed=lambda answers: KNOWN if _is_known(answers) else "",
            ),
            Field(
                "country_code",
                ADDRESS_LABELS["country_code"],
                OneOf({country.value: NAMES[country] for country in PICKUP_COUNTRIES}),
                MESSAGES[Code.INVALID_COUNTRY],
                applies=_is_other,
                control=Control.SELECT,
                autocomplete="country",
            ),
            Field(
                "post_code",
                ADDRESS_LABELS["post_code"],
                Postcode("country_code"),
                applies=_is_other,
                autocomplete="postal-code",
            ),
            Field(
                "house_number",
                ADDRESS_LABELS["house_number"],
                ValidatedText(validation.house_number, (Code.INVALID_HOUSE_NUMBER, Code.TOO_LONG)),
                applies=_is_other,
                control=Control.DIGITS,
            ),
            Field(
                "house_number_addon",
                ADDRESS_LABELS["house_number_addon"],
                ValidatedText(_optional),
                optional=True,
                applies=_is_other,
            ),
            Field("street", ADDRESS_LABELS["street"], LINE, applies=_is_other),
            Field("city", ADDRESS_LABELS["city"], LINE, applies=_is_other, autocomplete="address-level2"),
            Field(
                "phone",
                ADDRESS_LABELS["phone"],
                _Phone(),
                hint=N_("The mechanic will call you on this number to make an appointment"),
                control=Control.PHONE,
                autocomplete="tel",
            ),
        ),
        missing=missing,
    )
