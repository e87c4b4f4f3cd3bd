"""Where and when something is picked up (part-2 §2 Return request step 5, §3 Pickup address)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

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
from portal.kernel.codes import Code
from portal.kernel.terms import REMARKS_MOST
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue
from portal.vocabulary.deliveries import WINDOW_NAMES

DAY, WINDOW, REMARKS, NAME = "pickup_day", "pickup_window", "remarks", "pickup_name"


@dataclass(frozen=True, slots=True)
class PickUpDay(OneValue):
    """A day on which the van comes to the country of the address."""

    codes: tuple[Code, ...] = (Code.INVALID_TIME, Code.NO_DELIVERY_OPTIONS)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The day, ISO 8601."""
        offered = days_for(answers)
        if not offered:
            raise InvalidValue(Code.NO_DELIVERY_OPTIONS)
        try:
            day = date.fromisoformat(str(given).strip()).isoformat()
        except ValueError:
            raise InvalidValue(Code.INVALID_TIME) from None
        if day not in offered:
            raise InvalidValue(Code.INVALID_TIME)
        return day


def pickup_country(answers: AnswerContext) -> str:
    """Where the van has to go: as was answered, or where the customer lives."""
    known = answers.facts.get("address") or {}
    if answers.text("address") == "other" or not known:
        return answers.text("country_code") or known.get("country_code") or "NL"
    return known["country_code"]


def days_for(answers: AnswerContext) -> list[str]:
    """The days that are offered there, ISO 8601."""
    return list(answers.facts.get("pickup_days", {}).get(pickup_country(answers), ()))


def _remarks(text: str) -> str:
    return validation.optional(text, REMARKS_MOST)


def _elsewhere(answers: AnswerContext) -> bool:
    return not known_address(answers) or answers.text(ADDRESS) == OTHER


@dataclass(frozen=True, slots=True)
class _ComesTo(OneOf):
    """A country to which the van comes on the day that was chosen; see `_day_fits`."""

    codes: tuple[Code, ...] = field(
        default=(Code.INVALID_CHOICE, Code.INVALID_TIME, Code.NO_DELIVERY_OPTIONS), init=False
    )


def _no_day(answers: AnswerContext) -> Code:
    """Nobody can choose a day while there is none."""
    return Code.REQUIRED if days_for(answers) else Code.NO_DELIVERY_OPTIONS


def day_fields() -> tuple[Field, ...]:
    """The day and the part of it, which is asked as soon as there are days; none is chosen beforehand."""
    return (
        Field(DAY, N_("Day of the pick-up"), PickUpDay(), control=Control.RADIO, empty=_no_day),
        Field(
            WINDOW,
            N_("Part of the day"),
            OneOf({window.value: name for window, name in WINDOW_NAMES.items()}),
            applies=lambda answers: bool(days_for(answers)),
        ),
    )


def _day_fits(answers: AnswerContext) -> Findings:
    """Another country has other holidays: the day has to be one of its own."""
    if not _elsewhere(answers):
        return {}  # The question for the day looks after itself.
    day = answers.text(DAY)
    offered = days_for(answers)
    if not offered:
        return {"country_code": Code.NO_DELIVERY_OPTIONS}
    return {} if not day or day in offered else {"country_code": Code.INVALID_TIME}


def pickup_step(*, applies: Condition, with_day: bool) -> Step:
    """The step that asks where to come, and for whom.

    Args:
        applies: when it is asked.
        with_day: whether it also asks when; otherwise a step before it did.
    """
    base = address_step(missing=Code.MISSING_PICKUP_ADDRESS)
    more: dict[str, dict[str, Any]] = {
        "phone": {"hint": N_("The driver calls you on this number, and you get a text message the day before")},
        "country_code": {"rule": _ComesTo({country.value: NAMES[country] for country in PICKUP_COUNTRIES})},
    }
    fields = [replace(entry, **more.get(entry.name, {})) for entry in base.fields]
    name = Field(NAME, N_("Name at the door"), LINE, applies=_elsewhere, autocomplete="name")
    remarks = Field(
        REMARKS,
        N_("Remarks for the driver"),
        ValidatedText(_remarks),
        hint=N_("At most {remarks_most} characters"),
        optional=True,
        control=Control.AREA,
    )
    return replace(
        base,
        name="pickup",
        title=N_("Where can we pick it up?"),
        fields=(fields[0], name, *fields[1:], remarks, *(day_fields() if with_day else ())),
        applies=applies,
        rules=_day_fits,
    )
