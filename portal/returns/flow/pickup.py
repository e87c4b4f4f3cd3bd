"""The pick-up: its address, day and part of the day (part-2 §2 Return request step 5, §3 Pickup address)."""

from dataclasses import dataclass, field, replace

from portal.account.flow import ADDRESS, OTHER, address_step, known_address
from portal.flow import (
    LINE,
    Answer,
    AnswerContext,
    Condition,
    Control,
    Field,
    Findings,
    OneOf,
    OneValue,
    Step,
    ValidatedText,
)
from portal.kernel import validation
from portal.kernel.address import NAMES, PICKUP_COUNTRIES
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import REMARKS_MOST
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue
from portal.returns.models import ReturnFacts
from portal.vocabulary.deliveries import WINDOW_NAMES

DAY, WINDOW, REMARKS, NAME = "pickup_day", "pickup_window", "remarks", "pickup_name"
STREET_ADDITION, EMAIL = "street_addition", "pickup_email"
"""The addition to the street name, such as a building, and the e-mail address of whoever hands the items over."""


@dataclass(frozen=True, slots=True)
class PickUpDay(OneValue):
    codes: tuple[Code, ...] = (Code.INVALID_TIME, Code.NO_DELIVERY_OPTIONS)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        offered = days_for(answers)
        if not offered:
            raise InvalidValue(Code.NO_DELIVERY_OPTIONS)
        day = validation.day(str(given))
        if day is None or day.isoformat() not in offered:
            raise InvalidValue(Code.INVALID_TIME)
        return day.isoformat()


def pickup_country(answers: AnswerContext) -> str:
    """The country of the pick-up: that of the answered address, else that of the customer."""
    known = known_address(answers)
    if answers.text(ADDRESS) == OTHER or not known:
        return answers.text("country_code") or known.get("country_code") or "NL"
    return known["country_code"]


def days_for(answers: AnswerContext) -> list[str]:
    """The days that are offered in the country of the pick-up, ISO 8601."""
    return answers.part(ReturnFacts).pickup_days.get(pickup_country(answers), [])


def _email(text: str) -> str:
    return validation.email(text) if text.strip() else ""


def _remarks(text: str) -> str:
    return validation.optional(text, REMARKS_MOST)


def _is_other_address(answers: AnswerContext) -> bool:
    return not known_address(answers) or answers.text(ADDRESS) == OTHER


@dataclass(frozen=True, slots=True)
class _PickUpCountry(OneOf):
    """A country in which pick-ups are offered on the chosen day; `_check_day` adds the last two codes."""

    codes: tuple[Code, ...] = field(
        default=(Code.INVALID_CHOICE, Code.INVALID_TIME, Code.NO_DELIVERY_OPTIONS), init=False
    )


def _missing_day(answers: AnswerContext) -> Code:
    return Code.REQUIRED if days_for(answers) else Code.NO_DELIVERY_OPTIONS


def day_fields() -> tuple[Field, ...]:
    """The day and the part of the day. Nothing is preselected; the part is asked only when days are offered."""
    return (
        Field(
            DAY,
            N_("Day of the pick-up"),
            PickUpDay(),
            MESSAGES[Code.MISSING_PICKUP_DATE],
            control=Control.RADIO,
            empty=_missing_day,
        ),
        Field(
            WINDOW,
            N_("Part of the day"),
            OneOf({window.value: name for window, name in WINDOW_NAMES.items()}),
            N_("Choose a part of the day."),
            applies=lambda answers: bool(days_for(answers)),
        ),
    )


def _check_day(answers: AnswerContext) -> Findings:
    """Check the day again when the customer enters another country, which has other holidays."""
    if not _is_other_address(answers):
        return {}  # `PickUpDay` validates the day.
    day = answers.text(DAY)
    offered = days_for(answers)
    if not offered:
        return {"country_code": Code.NO_DELIVERY_OPTIONS}
    return {} if not day or day in offered else {"country_code": Code.INVALID_TIME}


def pickup_step(*, applies: Condition, with_day: bool) -> Step:
    base = address_step(missing=Code.MISSING_PICKUP_ADDRESS)
    countries = _PickUpCountry({country.value: NAMES[country] for country in PICKUP_COUNTRIES})
    changed = {
        "phone": replace(base.field("phone"), hint=N_("The driver will call you on this number")),
        "country_code": replace(base.field("country_code"), rule=countries),
    }
    fields = [changed.get(entry.name, entry) for entry in base.fields]
    after_street = 1 + [entry.name for entry in fields].index("street")
    addition = Field(
        STREET_ADDITION,
        N_("Extra address details"),
        ValidatedText(validation.optional),
        hint=N_("For example a building, a gate or a company"),
        optional=True,
        applies=_is_other_address,
    )
    email = Field(
        EMAIL,
        N_("Email of whoever will be at home"),
        ValidatedText(_email, (Code.INVALID_EMAIL, Code.TOO_LONG)),
        hint=N_("Our carrier emails this address if something changes about the pick-up"),
        optional=True,
        control=Control.EMAIL,
        autocomplete="email",
    )
    name = Field(
        NAME,
        N_("Who will be there?"),
        LINE,
        N_("Fill in who will be there."),
        applies=_is_other_address,
        autocomplete="name",
    )
    remarks = Field(
        REMARKS,
        N_("Remarks for the driver"),
        ValidatedText(_remarks),
        hint=N_("Up to {remarks_most} characters"),
        optional=True,
        control=Control.AREA,
    )
    return replace(
        base,
        name="pickup",
        title=N_("Where can we pick it up?"),
        fields=(
            fields[0],
            name,
            *fields[1:after_street],
            addition,
            *fields[after_street:],
            email,
            remarks,
            *(day_fields() if with_day else ()),
        ),
        applies=applies,
        rules=_check_day,
    )
