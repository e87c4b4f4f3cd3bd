"""The registry of pages: modules list their pages in `PAGES`, and the app adds them as routes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import reflex as rx

from portal.frontend.load import Loading
from portal.reflex_adapter.build import serves_build


@dataclass(frozen=True, slots=True)
class PageRoute:
    """One page.

    `route`: path without slashes at its ends, such as `orders/[order_id]`; empty for the start page.
    `title`: title of the document, usually a translated text; a function where it takes long to make, because only the
    compiler needs it.
    `first`: the state with all data of the page, if these can be served as first data (`portal.frontend.first_data`).
    `on_load` loads them again over the socket.
    `for_both`: whether a page without a login shows customers something else. Their documents are then drawn, so that
    nothing moves when the socket says who they are.
    """

    route: str
    body: Callable[[], rx.Component]
    title: str | rx.Var[str] | Callable[[], rx.Var[str]]
    on_load: Sequence[Any] = ()
    protected: bool = True
    first: type[Loading] | None = None
    for_both: bool = False


def pages_of(modules: Iterable[str]) -> list[PageRoute]:
    found: list[PageRoute] = []
    for name in modules:
        found.extend(import_module(name).PAGES)
    return found


def with_first_data(pages: Iterable[PageRoute]) -> dict[str, type[Loading]]:
    return {page.route: page.first for page in pages if page.first is not None and page.protected}


def _in_its_own_file(body: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Give a page a module name of its own: the compiler makes one script file per module."""

    def page() -> rx.Component:
        return body()

    page.__name__ = page.__qualname__ = body.__name__
    page.__module__ = f"{body.__module__}_{body.__name__}"
    return page


def _title_of(page: PageRoute) -> str | rx.Var[str]:
    if isinstance(page.title, str | rx.Var):
        return page.title
    return "" if serves_build() else page.title()


def register(app: rx.App, pages: Iterable[PageRoute]) -> frozenset[str]:
    protected: set[str] = set()
    for page in pages:
        app.add_page(
            _in_its_own_file(page.body),
            route=page.route or "index",
            title=_title_of(page),
            on_load=list(page.on_load) or None,
            image="",
        )
        if page.protected:
            protected.add(page.route or "index")
    return frozenset(protected)
