"""The registry of staff pages: modules list their pages in `PAGES` and their links in `NAVIGATION`."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from portal.frontend.registry import PageRoute
from portal.i18n import Text
from portal.kernel.texts import N_
from portal.vocabulary.staff import Right, Role

CASES, KINDS, SAVED, STORE, SHOP = "cases", "kinds", "saved", "store", "shop"
"""Groups of the navigation, from top to bottom."""

GROUPS: dict[str, str] = {
    CASES: "",
    KINDS: N_("Kind"),
    SAVED: N_("Saved"),
    STORE: N_("Store"),
    SHOP: N_("Administration"),
}
"""Heading of each group; the first has none."""

DeskRoute = PageRoute
"""One page of the staff site; `protected` pages need a session."""


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One link of the navigation.

    `roles`: who sees it of those with the right; empty for all of them.
    `count`: name of the number behind the link (`Counts.numbers`); empty for none.
    """

    text: Text
    path: str
    group: str = CASES
    right: Right = Right.SEE_CASES
    roles: frozenset[Role] = frozenset()
    count: str = ""
    alarming: bool = False
    within: str | None = None


def navigation_of(modules: Iterable[str]) -> list[NavigationItem]:
    """Collect the `NAVIGATION` of modules, given their full names, in the order of the groups."""
    found: list[NavigationItem] = []
    for name in modules:
        found.extend(getattr(import_module(name), "NAVIGATION", ()))
    order = list(GROUPS)
    return sorted(found, key=lambda item: order.index(item.group))
