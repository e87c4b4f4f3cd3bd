"""The fields that records of a shop have in common."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from portal.imports.rules.reasons import refused
from portal.kernel import validation
from portal.kernel.address import Country
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.exchange import Rejection
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import ServicePackage


def checked(check: Callable[[str], str]) -> AfterValidator:
    """Validate and normalise a text that may be empty with a rule of the portal."""

    def read(value: str) -> str:
        if not value:
            return value
        try:
            return check(value)
        except validation.InvalidValue as error:
            raise refused(error.code) from None

    return AfterValidator(read)


def _none_if_empty(value: Any) -> Any:
    # An empty cell of a CSV file means that nothing is known.
    return None if value == "" else value


def _empty_if_none(value: Any) -> Any:
    return "" if value is None else value


def _known(value: StrEnum) -> StrEnum:
    if value.name == "UNKNOWN":
        raise refused(Rejection.NOT_STORED)
    return value


Optional = BeforeValidator(_none_if_empty)
Text = BeforeValidator(_empty_if_none)
Stored = AfterValidator(_known)

ExternalId = Annotated[
    str,
    BeforeValidator(lambda value: str(value) if isinstance(value, int) else value),
    Field(min_length=1, max_length=100),
]
Name = Annotated[str, Field(min_length=1, max_length=120)]
ArticleName = Annotated[
    str, Field(min_length=1, max_length=120, description="In Dutch, or in the only language there is.")
]
EnglishName = Annotated[str, Text, Field(max_length=120, description="In English; empty if `name` says it, too.")]
EnglishColor = Annotated[
    str, Text, Field(max_length=60, description="In English; empty if the other one says it, too.")
]
Text20 = Annotated[str, Text, Field(max_length=20)]
Text40 = Annotated[str, Text, Field(max_length=40)]
Text60 = Annotated[str, Text, Field(max_length=60)]
Required20 = Annotated[str, Field(min_length=1, max_length=20)]
Required40 = Annotated[str, Field(min_length=1, max_length=40)]
Required60 = Annotated[str, Field(min_length=1, max_length=60)]


_THOUSANDS = re.compile(r"(-?[0-9]{1,3}(?:[.,][0-9]{3})+|-?[0-9]+)[.,]([0-9]{1,2})")


def _with_point(value: Any) -> Any:
    """An amount as '1249.00', which a shop may write as '€ 1.249,00'."""
    if not isinstance(value, str) or value.isdigit():
        return value
    text = value.replace("€", "").strip()
    found = _THOUSANDS.fullmatch(text)
    return f"{re.sub('[.,]', '', found[1])}.{found[2]}" if found else text


Number = BeforeValidator(_with_point)
Euro = Annotated[Decimal, Number, Field(max_digits=12, decimal_places=2)]
Positive = Annotated[Decimal, Number, Field(ge=0, max_digits=12, decimal_places=2)]
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-4]):[0-5][0-9]$|^$")]
Color = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Day = Annotated[date | None, Optional]
Article = Annotated[ItemKind, Stored]
Delivery = Annotated[Annotated[DeliveryStatus, Stored] | None, Optional]
Package = Annotated[ServicePackage | None, Optional]


_FIRST_YEAR, _LAST_YEAR = 1900, 2999
"""Years outside stand for 'never' in other systems, and cannot be stored in another time zone."""


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise refused(Rejection.NO_TIME_ZONE)
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise refused(Rejection.NOT_A_MOMENT)
    return moment


Moment = Annotated[datetime, AfterValidator(_aware)]
OptionalMoment = Annotated[Moment | None, Optional]


class Part(BaseModel):
    """A record or a part of one. Unknown fields are refused, so that a misspelled one does not get lost."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class ShopRecord(Part):
    """What all records have in common.

    `essential`: fields that have to be right, such as `lines.sku`; any other one is left empty if it cannot be read.
    Empty for all.
    """

    essential: ClassVar[frozenset[str]] = frozenset()

    external_id: ExternalId = Field(description="Id of the record at the source; never changes.")

    @property
    def adds_up(self) -> bool:
        """Whether the amounts of the record agree."""
        return True


class PostalAddress(Part):
    """A postal address."""

    street: Text60
    house_number: Annotated[str, Text, Field(max_length=10)]
    house_number_addon: Text60 = ""
    post_code: Annotated[str, Text, Field(max_length=10)]
    city: Text60
    country_code: Annotated[Country, Stored]
