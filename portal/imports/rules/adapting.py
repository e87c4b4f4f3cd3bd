"""How the export of a shop becomes records: tables of what goes where, with functions where a path is not enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from portal.imports.rules.reading import RawRecord, Values, unwrapped
from portal.imports.rules.reasons import Reason
from portal.kernel.search import folded
from portal.vocabulary.exchange import Rejection
from portal.vocabulary.orders import ItemKind

_WORDS: Final = {
    ItemKind.CARGO_BIKE: "bakfiets bakfietsen cargobike cargobikes longtail longtails",
    ItemKind.E_BIKE: "ebike ebikes elektrischefiets elektrischefietsen electricbike electricbikes electricbicycles "
    "elektrischestadsfietsen speedpedelec speedpedelecs",
    ItemKind.CITY_BIKE: "fiets fietsen bike bikes bicycle bicycles citybike citybikes stadsfiets stadsfietsen "
    "racefiets racefietsen roadbike roadbikes gravelbike gravelbikes gravelfiets gravelfietsen mountainbike "
    "mountainbikes mtb kinderfiets kinderfietsen kidsbikes vouwfiets vouwfietsen foldingbikes omafiets omafietsen "
    "transportfiets transportfietsen damesfiets damesfietsen herenfiets herenfietsen hybridefiets hybridefietsen",
    ItemKind.ACCESSORY: "accessory accessories accessoire accessoires fietsaccessoires",
}
_KINDS: Final = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_STRONGEST: Final = list(_WORDS)


def kind_of(words: Iterable[Any]) -> str:
    """The kind that these words name; empty if they name none. 'Fietstas' is no 'fiets': only whole words count.

    A bike among 'Fietsen' and 'Elektrische fietsen' is an e-bike.
    """
    found = {_KINDS.get(_squeezed(word)) for word in words if isinstance(word, str)}
    return next((kind.value for kind in _STRONGEST if kind in found), "")


def _squeezed(word: str) -> str:
    return "".join(sign for sign in folded(word) if sign.isalnum())


Place = str | Callable[[Values], Any]
"""Where a field is: paths such as `billing.phone`, of which the first that is filled counts, or a function."""

Table = Mapping[str, Place]
"""The place of each field. A function under `*` gives several fields."""


class LeftOut(Exception):
    """The shop itself does not count an object, such as a draft or what is in the trash."""


class Misread(ValueError):
    """A field that the export tells in another way than the adapter knows."""

    def __init__(self, field: str, error: Exception) -> None:
        # What a KeyError names is a name of the shop's own export, never a value of a customer.
        missing = isinstance(error, KeyError) and error.args
        detail = str(error.args[0])[:60] if missing else type(error).__name__
        super().__init__(detail)
        self.field, self.reason = field if field != "*" else detail, Reason(Rejection.OTHER_FORM, {"detail": detail})


def at(values: Any, path: str) -> Any:
    """What is at a path; empty where the shop has nothing, `[]` or something else than an object on the way."""
    for name in path.split("."):
        values = values.get(name) if isinstance(values, dict) else None
    return "" if values in (None, []) else values


def tabled(table: Table, values: Values) -> Values:
    """The fields of an object by a table."""
    found: Values = {}
    for field, place in table.items():
        part: Any
        try:
            if callable(place):
                part = place(values)
            else:
                part = next((text for path in place.split() if (text := at(values, path)) != ""), "")
        except (LeftOut, Misread):
            raise
        except Exception as error:
            raise Misread(field, error) from error
        found |= part if field == "*" else {field: part}
    return found


@dataclass(frozen=True, slots=True)
class Adapter:
    """What is read of a shop.

    `kinds`: the kinds that the shop exports, each with the function that makes records of an object.
    `objects`: joins what belongs together, for a kind.
    """

    kinds: Mapping[str, Callable[[Values], Iterable[Values]]]
    objects: Callable[[str, Iterable[RawRecord]], Iterator[RawRecord]]

    def records(self, kind: str, lines: Iterable[RawRecord]) -> Iterator[RawRecord]:
        """Translate an export into records of a kind. What goes wrong costs the record, never the file.

        Raises `KeyError`: the shop does not export this kind.
        """
        translate = self.kinds[kind]
        plain = (line if line.error else RawRecord(line.line, unwrapped(line.values)) for line in lines)
        for found in self.objects(kind, plain):
            if found.error:
                yield found
                continue
            named = {"external_id": str(found.values.get("id") or "").rpartition("/")[2]}
            try:
                for values in list(translate(found.values)):
                    yield RawRecord(found.line, values, as_of=found.as_of)
            except LeftOut:
                yield RawRecord(found.line, named, Reason(Rejection.LEFT_OUT), left_out=True)
            except Exception as error:
                wrong = error if isinstance(error, Misread) else Misread("", error)
                yield RawRecord(found.line, named, wrong.reason, str(found.values)[:1000], field=wrong.field)
