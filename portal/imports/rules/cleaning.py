"""Cleans what was read, by the rules of forms. What identifies a record has to be right; other fields are left empty.

Signs, spaces and addresses are put right in silence. What is left empty, or only in part there, gets a note.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from portal.imports.rules.fields import PostalAddress, ShopRecord
from portal.imports.rules.reading import Values
from portal.imports.rules.reasons import Reason, reason_of
from portal.kernel import validation
from portal.kernel.address import NAMES, PARTS, Country
from portal.kernel.texts import LOCALES, catalogue
from portal.vocabulary.exchange import Rejection

_NUMBER = re.compile(r"([1-9][0-9]{0,4})(?![0-9])[-/ ]?(.*)")
_WITHIN = {"bus", "bte", "boite", "boîte", "box", "app", "appt", "apt", "appartement", "unit", "kamer", "/", "-"}
"""Words before a number that is part of an addition."""

_FLOORS = re.compile(r"(hoog|etage|verdieping|verd|vloer|floor|links|rechts)\b.*", re.IGNORECASE)
"""Words after a number that is part of an addition."""

_MONTHS = set(
    "januari februari maart april mei juni juli augustus september oktober november december "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre".split()
)
"""Words after a number that is part of a name, such as 'Straat van 1 mei'."""

_YEAR = re.compile(r"1[5-9][0-9]{2}|20[0-9]{2}")
"""A number that is likely part of a name, such as 'Plein 1940'."""


class Numbered(NamedTuple):
    """The parts of an address line; what is not there is empty."""

    street: str
    number: str
    addon: str


def numbered(street: str, number: str, addon: str) -> Numbered:
    """Put each part in its place.

    'Oudegracht 38 A', 'Kerkstraat' with '12 bis' in the second line, and 'Kerkstraat 12' with 12 in a field of its own
    are read; in 'Plein 1940' with 12 in the second line, 1940 belongs to the name.
    """
    found = split_street(street)
    if number:
        own = _NUMBER.fullmatch(number)
        plain, rest = (own[1], own[2]) if own else (number, "")
        # The line repeats the number that has a field of its own.
        repeated = found if found.number == plain else Numbered(street, "", "")
        return Numbered(repeated.street, plain, _joined(rest, addon or repeated.addon))
    second = _NUMBER.fullmatch(addon)
    if second and _FLOORS.fullmatch(second[2].split(" ", 1)[0]):
        second = None
    if second and (not found.number or (_YEAR.fullmatch(found.number) and not found.addon)):
        return Numbered(street, second[1], second[2])
    return Numbered(found.street, found.number, _joined(found.addon, addon))


def split_street(line: str) -> Numbered:
    """Split 'Oudegracht 38 A' or 'Veldstraat 82 bus 3' into street, number and addition."""
    words = line.replace(",", " ").split()
    for place in range(len(words) - 1, 0, -1):
        number = _NUMBER.fullmatch(words[place])
        after = words[place + 1] if place + 1 < len(words) else ""
        # The last number of '12-2 hoog' is that of a floor, too.
        floor = number and not number[2][:1].isdigit() and _FLOORS.fullmatch(after)
        within = words[place - 1].lower().rstrip(".") in _WITHIN or floor
        if number and not within and after.lower() not in _MONTHS:
            addon = _joined(number[2], *words[place + 1 :]).lstrip("-/ ")
            return Numbered(" ".join(words[:place]), number[1], addon)
    # As people write it in France: '12 rue de la Paix'.
    first = _NUMBER.fullmatch(words[0]) if len(words) > 1 else None
    if first and not first[2]:
        return Numbered(" ".join(words[1:]), first[1], "")
    return Numbered(line, "", "")


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


_MAX_SENT = 100
"""Characters of a value in a note."""

R = TypeVar("R", bound=ShopRecord)


@dataclass(frozen=True, slots=True)
class FieldNote:
    """A field that was left empty, or of which only a part was taken. `sent`: what the shop sent, for staff."""

    field: str
    reason: Reason
    sent: str


class RecordRefused(ValueError):
    """A record cannot be stored."""

    def __init__(self, field: str, reason: Reason) -> None:
        super().__init__(reason.english)
        self.field, self.reason = field, reason


@dataclass(slots=True)
class _Cleaning:
    """A record while it is cleaned."""

    model: type[ShopRecord]
    notes: list[FieldNote] = field(default_factory=list)

    def note(self, name: str, code: str, sent: Any) -> None:
        self.notes.append(FieldNote(name, Reason(code), str(sent)[:_MAX_SENT]))

    def address(self, values: Values, above: str = "") -> None:
        """Put the parts of an address in their places, and each in its form."""
        given = {name: str(values.get(name) or "") for name in PARTS}
        country = _country(values.get("country_code"), given["post_code"])
        if country is None:
            if not above and "country_code" in (self.model.essential or {"country_code"}):
                return
            # An address in an unknown country is in none of ours.
            if any(given.values()) or values.get("country_code"):
                self.note(f"{above}country_code", Rejection.NO_COUNTRY, values.get("country_code") or "")
            values.update(dict.fromkeys(PARTS, ""))
            values["country_code"] = Country.NL.value
            return
        values["country_code"] = country.value
        found = numbered(given["street"], given["house_number"], given["house_number_addon"])
        values.update(street=found.street, house_number=found.number, house_number_addon=found.addon)
        for name, rule in (
            ("house_number", validation.house_number),
            ("post_code", lambda text: validation.postcode(text, country)),
        ):
            sent = values.get(name)
            if not sent:
                if found.street:
                    self.note(above + name, Rejection.MISSING_FIELD, "")
                continue
            try:
                values[name] = rule(str(sent))
            except validation.InvalidValue as wrong:
                values[name] = ""
                self.note(above + name, wrong.code, sent)

    def phone(self, values: Values) -> None:
        """Write a phone number as E.164: the first one of several."""
        sent, country = str(values["phone"]), Country(values.get("country_code") or Country.NL)
        try:
            values["phone"] = validation.phone(sent, country)
        except validation.InvalidValue as wrong:
            import phonenumbers  # its tables are large

            found = next(iter(phonenumbers.PhoneNumberMatcher(sent, country.value)), None)
            form = phonenumbers.PhoneNumberFormat.E164
            values["phone"] = phonenumbers.format_number(found.number, form) if found else ""
            self.note("phone", Rejection.PART_OF_PHONE if found else wrong.code, sent)

    def without(self, values: Values, errors: Sequence[ErrorDetails]) -> bool:
        """Leave the fields of errors empty; whether the record can do without all of them."""
        essential = self.model.essential
        for error in errors:
            path = ".".join(str(part) for part in error["loc"] if isinstance(part, str))
            if not essential or not error["loc"] or path in essential:
                return False
        for error in errors:
            *way, last = error["loc"]
            inside: Any = values
            for part in way:
                inside = inside[part]
            if error["type"] == "missing":
                inside[last] = ""
                continue
            name, reason = reason_of(error)
            self.notes.append(FieldNote(name, reason, str(inside.pop(last))[:_MAX_SENT]))
        return True


def cleaned(model: type[R], values: Values) -> tuple[R, list[FieldNote]]:
    """The record of raw values, with notes on what was left empty.

    Raises `RecordRefused`: a field that identifies the record, or that cannot be empty, is wrong.
    """
    cleaning = _Cleaning(model)
    values = tidied(values)
    if issubclass(model, PostalAddress):
        cleaning.address(values)
    for name in ("shipping_address", "billing_address"):
        if name in model.model_fields and isinstance(values.get(name), dict):
            cleaning.address(values[name], f"{name}.")
    if values.get("phone") and "phone" in model.model_fields:
        cleaning.phone(values)
    # A field that is left empty can be missed in turn.
    for passes in range(3):
        try:
            return model.model_validate(values), cleaning.notes
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            if passes == 2 or not cleaning.without(values, errors):
                raise RecordRefused(*reason_of(errors[0])) from None
    raise AssertionError  # the last pass returns or raises


_AS_SENT = {"document", "image", "tracking_url"}
"""Fields that name something outside, sign by sign."""


def tidied(value: Any, name: str = "") -> Any:
    """A value as it can be stored and read: no control characters, single spaces, no numbers that are none."""
    if isinstance(value, str):
        return value.replace("\x00", "") if name in _AS_SENT else validation.clean(value)
    if isinstance(value, dict):
        return {validation.clean(key): tidied(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [tidied(part) for part in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _country(given: Any, post_code: str) -> Country | None:
    """A country by its code or name; by the postcode if the shop named none."""
    text = str(given or "").casefold()
    if text:
        return _countries().get(text)
    return next((entry for entry in (Country.NL, Country.BE) if _fits(post_code, entry)), None)


def _fits(post_code: str, country: Country) -> bool:
    try:
        return bool(validation.postcode(post_code, country))
    except validation.InvalidValue:
        return False


@cache
def _countries() -> dict[str, Country]:
    served = [entry for entry in Country if entry is not Country.UNKNOWN]
    names = {catalogue(locale).gettext(NAMES[entry]).casefold(): entry for locale in LOCALES for entry in served}
    return names | {entry.value.casefold(): entry for entry in served}
