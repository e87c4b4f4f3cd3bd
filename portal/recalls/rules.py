"""The text of a recall, and how numbers are compared (part-1 §13)."""

from __future__ import annotations

import csv
import re
import tomllib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Annotated, Literal

from pydantic import EncodedBytes, EncoderProtocol, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from portal.contract.models import Model
from portal.kernel.address import Country
from portal.kernel.validation import InvalidValue, email, phone
from portal.vocabulary.services import RecalledKind, Remedy

MAX_TEXT_LENGTH = 1500
MAX_NUMBER_LENGTH = 40
MAX_NUMBERS = 20_000
MAX_PICTURE_BYTES = 2_000_000
"""Bytes of the picture of a recall."""

SOFTENED = re.compile(
    r"\b(?:voluntary|voluntarily|precautionary|as a precaution|discretionary|in rare situations|in rare cases|"
    r"in specific situations|no reported accidents|vrijwillig\w*|uit voorzorg|voorzorgsmaatregel|voorzorg|"
    r"in zeldzame gevallen|in specifieke gevallen|geen (?:gemelde )?ongevallen)\b",
    re.IGNORECASE,
)
"""Words that make a danger look smaller, which a recall notice must not have (article 36(2)(c))."""


class _Base64(EncoderProtocol):
    """Strict base64: an invalid sign is an error."""

    @classmethod
    def decode(cls, data: bytes) -> bytes:
        try:
            return b64decode(data, validate=True)
        except ValueError:
            raise PydanticCustomError("base64", "not base64") from None

    @classmethod
    def encode(cls, value: bytes) -> bytes:
        return b64encode(value)

    @classmethod
    def get_json_format(cls) -> str:
        return "base64"


Picture = Annotated[bytes, Field(max_length=MAX_PICTURE_BYTES), EncodedBytes(encoder=_Base64)]


class WrongRecall(ValueError):
    """A recall cannot be loaded. The message is one line for the shop."""


class RecallText(Model):
    """The text of a recall in one language."""

    product: str = Field(min_length=3, max_length=120)
    description: str = Field(min_length=10, max_length=MAX_TEXT_LENGTH)
    hazard: str = Field(min_length=10, max_length=MAX_TEXT_LENGTH)
    action: str = Field(min_length=10, max_length=MAX_TEXT_LENGTH)

    @field_validator("*")
    @classmethod
    def _says_it_plainly(cls, text: str) -> str:
        if found := SOFTENED.search(text):
            raise ValueError(f"'{found[0]}' makes the danger look smaller, which the law forbids")
        return text


class RecallContent(Model):
    """A recall as the shop writes it.

    `code`: identifier of the shop.
    `remedies`: at least two of repair, replacement and refund (article 37(2)).
    `phone`: for questions, free of charge; empty means that of the shop. `email` likewise.
    `picture`: of the product, with the place of its number (Implementing Regulation (EU) 2024/1435); base64 in JSON,
    the path of a JPEG or PNG file in TOML. Empty keeps the picture of an earlier load.
    """

    code: str = Field(pattern=r"^[A-Z0-9][A-Z0-9-]{2,39}$")
    remedies: list[Remedy] = Field(min_length=2, max_length=3)
    phone: str = ""
    email: str = ""
    picture: Picture = b""
    nl: RecallText
    en: RecallText

    @field_validator("remedies")
    @classmethod
    def _can_be_offered(cls, remedies: list[Remedy]) -> list[Remedy]:
        if Remedy.UNKNOWN in remedies or len(set(remedies)) < len(remedies):
            raise ValueError("name repair, replacement or refund, each once")
        return remedies

    @field_validator("phone")
    @classmethod
    def _can_be_called(cls, number: str) -> str:
        try:
            return phone(number, Country.NL) if number else ""
        except InvalidValue:
            raise ValueError("not a phone number") from None

    @field_validator("email")
    @classmethod
    def _can_be_mailed(cls, address: str) -> str:
        try:
            return email(address) if address else ""
        except InvalidValue:
            raise ValueError("not an email address") from None


def _is_number(text: str) -> bool:
    return text.isalnum() and len(text) <= MAX_NUMBER_LENGTH


class RecalledNumber(Model):
    """A recalled frame or battery number, kept in the form for comparison."""

    kind: Literal[RecalledKind.FRAME, RecalledKind.BATTERY]
    number: str

    @field_validator("number")
    @classmethod
    def _can_be_compared(cls, number: str) -> str:
        number = comparable(number)
        if not _is_number(number):
            raise ValueError("not a number of a frame or battery")
        return number


class RecallNumbers(RecallContent):
    """A recall with its numbers, as the shop sends it in one call."""

    numbers: list[RecalledNumber] = Field(min_length=1, max_length=MAX_NUMBERS)

    @property
    def by_kind(self) -> dict[RecalledKind, set[str]]:
        """The numbers, each once."""
        return {
            kind: {entry.number for entry in self.numbers if entry.kind is kind}
            for kind in (RecalledKind.FRAME, RecalledKind.BATTERY)
        }


def read_content(path: Path) -> RecallContent:
    """Read the text of a recall from a TOML file. Raises WrongRecall."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        if picture := values.get("picture"):
            values["picture"] = b64encode((path.parent / str(picture)).read_bytes()).decode()
        return RecallContent.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise WrongRecall(f"{path.name}: {name}: {first['msg'].removeprefix('Value error, ')}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WrongRecall(f"{path.name}: {error}") from None


def comparable(number: str) -> str:
    """A number in the form for comparison: upper case, without blanks, dashes and dots."""
    return re.sub(r"[\s.\-–]", "", number).upper()


def read_numbers(path: Path) -> dict[RecalledKind, set[str]]:
    """Read the recalled numbers from a CSV file with the columns `kind` and `number`. Raises WrongRecall."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _numbers(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise WrongRecall(f"{path.name}: {error}") from None
    except WrongRecall as error:
        raise WrongRecall(f"{path.name}: {error}") from None


def _numbers(lines: csv.DictReader[str]) -> dict[RecalledKind, set[str]]:
    if not {"kind", "number"} <= set(lines.fieldnames or ()):
        raise WrongRecall("the first line has to name the columns kind and number")
    found: dict[RecalledKind, set[str]] = {RecalledKind.FRAME: set(), RecalledKind.BATTERY: set()}
    for line in lines:
        kind, number = (line["kind"] or "").strip().lower(), comparable(line["number"] or "")
        if kind not in {RecalledKind.FRAME, RecalledKind.BATTERY}:
            raise WrongRecall(f"line {lines.line_num}: the kind is frame or battery")
        if not _is_number(number):
            raise WrongRecall(f"line {lines.line_num}: not a number of a {kind}")
        found[RecalledKind(kind)].add(number)
    if not any(found.values()):
        raise WrongRecall("there are no numbers")
    return found
