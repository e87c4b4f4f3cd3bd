"""Column types that store the same values on SQLite and PostgreSQL, and words of a shop in both languages."""

from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from sqlalchemy import BigInteger, Connection, DateTime, Engine, String
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel
from typing_extensions import override

from portal.kernel.texts import Locale

CENT = Decimal("0.01")
"""The smallest amount; every amount is a multiple of it."""

ZERO = Decimal("0.00")

_UNKNOWN = "UNKNOWN"
"""Name of the member for values written by a newer version."""

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Table(SQLModel):
    """Base class of all tables. A subclass with `table=True` sets its name in `__tablename__`."""

    if TYPE_CHECKING:  # Rows are not validated, so what code writes into a column has to be of its type.
        model_config = {"extra": "forbid", "strict": True}
        # pyrefly: ignore[bad-override]  # SQLModel has a function there, which makes the name
        __tablename__: ClassVar[str]
        __table__: ClassVar[SqlTable]
    else:
        model_config = {"defer_build": True}


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, aware and in UTC. A naive value is refused, because its time zone is unknown."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert an aware moment to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return value.astimezone(UTC)

    @override
    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return an aware moment; SQLite does not store the time zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Cents(TypeDecorator[Decimal]):
    """An amount in euro, stored as whole cents so that sums are exact on every database."""

    impl = BigInteger
    cache_ok = True

    @override
    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Convert to whole cents; a fraction of a cent is refused as an error of the caller."""
        if value is None:
            return None
        cents = value * 100
        if cents != int(cents):
            raise ValueError("an amount has at most two decimals")
        return int(cents)

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:
        """Convert to an amount with two decimals. PostgreSQL returns a sum of whole cents as a decimal."""
        return None if value is None else Decimal(int(value)).scaleb(-2)


class EnumText(TypeDecorator[StrEnum]):
    """An enum value, stored as text: it is readable in the database, and a new value needs no migration."""

    impl = String
    cache_ok = True

    def __init__(self, kind: type[StrEnum]) -> None:
        """Create the type for an enum whose values have at most 40 characters."""
        super().__init__(40)
        self.kind = kind
        self._known: dict[str, StrEnum] = {member.value: member for member in kind}
        self._unknown: StrEnum | None = kind.__members__.get(_UNKNOWN)

    @override
    def process_bind_param(self, value: StrEnum | str | None, dialect: Dialect) -> str | None:
        """Convert to text; values outside the enum and 'unknown' are refused."""
        if value is None:
            return None
        known = self.kind(value)
        if known.name == _UNKNOWN:
            raise ValueError("an unknown value is never stored")
        return known.value

    @override
    def process_result_value(self, value: str | None, dialect: Dialect) -> StrEnum | None:
        """Convert to the enum value; a text written by a newer version becomes `UNKNOWN` if the enum has it."""
        if value is None:
            return None
        known = self._known.get(value)
        return known if known is not None else self._unknown or self.kind(value)


def insert_into(bind: Connection | Engine, table: type[Table]) -> Any:
    """An INSERT that can have ON CONFLICT, which each dialect has for itself."""
    return (postgresql if bind.dialect.name == "postgresql" else sqlite).insert(table)


class Keyed(Table):
    id: int = Field(default=None, primary_key=True)


def in_language(own: str, english: str, locale: Locale) -> str:
    """The word in a language; where the shop has none in English, its only one."""
    return english if locale == "en" and english else own


class _HasName(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def name_en(self) -> str: ...


class _HasItemColor(Protocol):
    @property
    def item_color(self) -> str: ...
    @property
    def item_color_en(self) -> str: ...


class Named:
    def name_in(self: _HasName, locale: Locale) -> str:
        return in_language(self.name, self.name_en, locale)


class InColor:
    def color_in(self: _HasItemColor, locale: Locale) -> str:
        return in_language(self.item_color, self.item_color_en, locale)
