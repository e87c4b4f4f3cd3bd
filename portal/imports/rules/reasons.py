"""Reasons: why something of a shop was not stored, as a code with values. Texts are in `vocabulary.rejections`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic_core import ErrorDetails, PydanticCustomError

from portal.kernel.address import Country
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import LOCALES, Locale, catalogue
from portal.vocabulary.exchange import REJECTIONS, Rejection

Values = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was not stored.

    `code`: a value of `Rejection`, or of `Code` for what validation refuses.
    `values`: what the text of the code names in braces, such as a limit. Nothing of the record itself.
    """

    code: str
    values: Values = field(default_factory=dict)

    @property
    def english(self) -> str:
        """The text for logs, reports and the API."""
        return reason_texts(self.code, self.values)["en"]


class WrongFile(ValueError):
    """A file cannot be read to its end; `name` is that of the file."""

    def __init__(self, reason: Reason, name: str) -> None:
        super().__init__(reason.english)
        self.reason, self.name = reason, name


UNREADABLE: Final = frozenset(
    {
        Rejection.NOT_JSON,
        Rejection.NOT_AN_OBJECT,
        Rejection.LINE_TOO_LONG,
        Rejection.WRONG_CELLS,
        Rejection.NO_PARENT,
        Rejection.OTHER_FORM,
        Rejection.DOUBLE_ID,
    }
)
"""Reasons of what could not be read as a record."""


def reason_texts(code: str, values: Values) -> dict[Locale, str]:
    """The text of a reason in each language; empty texts for a code that this version does not know."""
    if code in set(Rejection):
        text = REJECTIONS[Rejection(code)]
    else:
        text = MESSAGES.get(Code(code), "") if code in set(Code) else ""
    return {locale: _filled(catalogue(locale).gettext(text) if text else "", values) for locale in LOCALES}


def refused(code: Rejection | Code, place: str = "", **values: str | int) -> PydanticCustomError:
    """The error that a validator of a record raises.

    `place`: the field that it is about, where the validator belongs to the whole record.
    """
    return PydanticCustomError(code.value, "{code}", {"code": code.value, "place": place, **values})


TYPES: Final[Mapping[str, Rejection]] = {
    "missing": Rejection.MISSING_FIELD,
    "extra_forbidden": Rejection.UNKNOWN_FIELD,
    "string_type": Rejection.NOT_A_TEXT,
    "string_unicode": Rejection.NOT_A_TEXT,
    "string_too_short": Rejection.TEXT_TOO_SHORT,
    "string_too_long": Rejection.TEXT_TOO_LONG,
    "string_pattern_mismatch": Rejection.WRONG_FORM,
    "int_type": Rejection.NOT_A_WHOLE_NUMBER,
    "int_parsing": Rejection.NOT_A_WHOLE_NUMBER,
    "int_parsing_size": Rejection.NOT_A_WHOLE_NUMBER,
    "int_from_float": Rejection.NOT_A_WHOLE_NUMBER,
    "float_type": Rejection.NOT_A_NUMBER,
    "float_parsing": Rejection.NOT_A_NUMBER,
    "decimal_type": Rejection.NOT_A_NUMBER,
    "decimal_parsing": Rejection.NOT_A_NUMBER,
    "finite_number": Rejection.NOT_A_NUMBER,
    "decimal_max_places": Rejection.TOO_MANY_DECIMALS,
    "decimal_max_digits": Rejection.TOO_MANY_DIGITS,
    "decimal_whole_digits": Rejection.TOO_MANY_DIGITS,
    "greater_than_equal": Rejection.TOO_SMALL,
    "less_than_equal": Rejection.TOO_LARGE,
    "enum": Rejection.UNKNOWN_CHOICE,
    "bool_type": Rejection.NOT_YES_OR_NO,
    "bool_parsing": Rejection.NOT_YES_OR_NO,
    "date_type": Rejection.NOT_A_DAY,
    "date_parsing": Rejection.NOT_A_DAY,
    "date_from_datetime_parsing": Rejection.NOT_A_DAY,
    "date_from_datetime_inexact": Rejection.NOT_A_DAY,
    "datetime_type": Rejection.NOT_A_MOMENT,
    "datetime_parsing": Rejection.NOT_A_MOMENT,
    "datetime_from_date_parsing": Rejection.NOT_A_MOMENT,
    "datetime_object_invalid": Rejection.NOT_A_MOMENT,
    "list_type": Rejection.NOT_A_LIST,
    "too_short": Rejection.TOO_FEW,
    "too_long": Rejection.TOO_MANY,
    "dict_type": Rejection.NOT_AN_OBJECT,
    "model_type": Rejection.NOT_AN_OBJECT,
    "model_attributes_type": Rejection.NOT_AN_OBJECT,
}
"""The reason of each error of pydantic that a model of a record can give."""

_OF_TEXTS: Final = {Rejection.TOO_FEW: Rejection.TEXT_TOO_SHORT, Rejection.TOO_MANY: Rejection.TEXT_TOO_LONG}

_VALUES: Final[Mapping[str, str]] = {
    "min_length": "least",
    "max_length": "most",
    "ge": "least",
    "le": "most",
    "decimal_places": "most",
    "max_digits": "most",
    "whole_digits": "most",
    "pattern": "form",
    "expected": "choices",
}
"""The name of a value in our texts, by its name at pydantic. What is not listed may be a part of the record."""


_NEVER_STORED = {"unknown", Country.UNKNOWN.value}
"""Values of our enums that only stand for those of a newer version."""


def reason_of(error: ErrorDetails) -> tuple[str, Reason]:
    """The field and the reason of an error in a record; the field is empty for the whole record."""
    context = dict(error.get("ctx", {}))
    places = [*error["loc"], *([context["place"]] if context.get("place") else [])]
    return ".".join(str(part) for part in places), _reason(error, context)


def _reason(error: ErrorDetails, context: Mapping[str, Any]) -> Reason:
    if "code" in context:
        values = {name: value for name, value in context.items() if name not in {"code", "place"}}
        return Reason(str(context["code"]), values)
    code = TYPES.get(error["type"], Rejection.INVALID)
    if context.get("field_type") == "Value" and code in _OF_TEXTS:
        # The length of a text that a function of ours reads first.
        code = _OF_TEXTS[code]
    values = {ours: _plain(context[theirs]) for theirs, ours in _VALUES.items() if theirs in context}
    return Reason(code.value, values)


def _plain(value: Any) -> str | int:
    if isinstance(value, int):
        return value
    # pydantic joins the choices of an enum as in English prose: 'a', 'b' or 'c'.
    words = str(value).replace(" or ", ", ").replace("'", "").split(", ")
    return ", ".join(word for word in words if word not in _NEVER_STORED)


def _filled(text: str, values: Values) -> str:
    # Not str.format: braces in a value must not be evaluated.
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
