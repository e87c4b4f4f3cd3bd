"""Which kind of item a shop means by the words of its own: type, category or tag of a product."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from portal.kernel.search import folded
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
