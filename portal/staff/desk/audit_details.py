"""How the audit's details read: names and values as staff know them, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from portal.kernel.texts import LOCALES, N_, both
from portal.vocabulary.cases import CASE_STATES, STATUSES_OF, CaseKind
from portal.vocabulary.conversations import ASKS_LABELS
from portal.vocabulary.staff import ROLE_LABELS, VisitMode

NAMES: Mapping[str, str] = {
    "account": N_("Account"),
    "active": N_("May log in"),
    "asks": N_("Asks for"),
    "before": N_("Was"),
    "by": N_("Searched by"),
    "count": N_("How many"),
    "dry_run": N_("Dry run"),
    "entries": N_("Lines"),
    "external_id": N_("Number in the shop"),
    "fields": N_("Fields"),
    "files": N_("Files"),
    "found": N_("Found"),
    "from": N_("Was"),
    "holder": N_("Account holder"),
    "keep": N_("Kept"),
    "kind": N_("Kind"),
    "known": N_("Known now"),
    "known_before": N_("Known before"),
    "merged": N_("Merged with"),
    "mode": N_("Session"),
    "new": N_("New"),
    "operation": N_("Action"),
    "person": N_("Colleague"),
    "planned_date": N_("Planned day"),
    "role": N_("Role"),
    "rows": N_("Records moved"),
    "seen": N_("Seen"),
    "shop": N_("Shop"),
    "shown": N_("Shown"),
    "source": N_("Source"),
    "state": N_("Stage"),
    "state_before": N_("Earlier stage"),
    "status": N_("Status"),
    "store": N_("Store"),
    "stores": N_("Stores"),
    "taken": N_("Value used"),
    "template": N_("Template"),
    "to": N_("Now"),
    "total": N_("Total"),
    "valid_from": N_("Valid from"),
    "way": N_("File"),
    "what": N_("What"),
}
"""Names of details. Others, such as the values of a price, are shown as they are stored."""

_HIDDEN = frozenset({"searched"})
"""What tells staff nothing: the hash of the text of a search."""

_SEARCHES: Mapping[str, str] = {
    "address": N_("Postcode and house number"),
    "email": N_("Email address"),
    "frame number": N_("Frame number"),
    "name": N_("Name"),
    "order": N_("Order number"),
}
_MODES: Mapping[str, str] = {
    VisitMode.READ_ONLY: N_("View only"),
    VisitMode.IN_NAME: N_("For the customer"),
}
_VALUES: Mapping[str, Mapping[Any, str]] = {
    "asks": ASKS_LABELS,
    "by": _SEARCHES,
    "mode": _MODES,
    "role": ROLE_LABELS,
    "state": CASE_STATES,
    "state_before": CASE_STATES,
}


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail of an entry: its name and its value, by language."""

    name: dict[str, str] = field(default_factory=dict)
    value: dict[str, str] = field(default_factory=dict)


def details_of(kind: str, details: Mapping[str, Any]) -> list[Detail]:
    known = CaseKind(kind) if kind in set(CaseKind) else CaseKind.UNKNOWN
    values = {**_VALUES, "before": STATUSES_OF[known], "status": STATUSES_OF[known]}
    return [
        Detail(both(NAMES[name]) if name in NAMES else _same(name.replace("_", " ")), said)
        for name, value in details.items()
        if name not in _HIDDEN and (said := _said(value, values.get(name, {})))
    ]


def _said(value: Any, texts: Mapping[Any, str]) -> dict[str, str]:
    if isinstance(value, bool):
        return both(N_("yes") if value else N_("no"))
    if isinstance(value, str) and value in texts:
        return both(texts[value])
    plain = _plain(value)
    return _same(plain) if plain else {}


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {found}" for name, entry in value.items() if (found := _plain(entry)))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _same(text: str) -> dict[str, str]:
    return dict.fromkeys(LOCALES, text)
