"""How a screen becomes a route: modules list their pages, the app registers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import reflex as rx

from portal.frontend.state import Loadable


@dataclass(frozen=True, slots=True)
class PageRoute:
    """One screen.

    Attributes:
        route: Path without slashes at the ends, as `orders/[order_id]`; empty for the start page.
        body: Builds the screen. Its module decides the script file that it is shipped in.
        title: Title of the document, usually a translated text.
        on_load: Events sent when the screen is opened, also by back and forward.
        protected: Whether only somebody who is logged in may open it.
        first: The state whose data are all that the screen shows, when it can be asked beside the scripts
            (`portal.frontend.first_data`). `on_load` asks again, over the socket.
    """

    route: str
    body: Callable[[], rx.Component]
    title: str | rx.Var[str]
    on_load: Sequence[Any] = ()
    protected: bool = True
    first: type[Loadable] | None = None


def pages_of(modules: Iterable[str]) -> list[PageRoute]:
    """Collect the `PAGES` of modules.

    Args:
        modules: Their full names.
    """
    found: list[PageRoute] = []
    for name in modules:
        found.extend(import_module(name).PAGES)
    return found


def with_first_data(pages: Iterable[PageRoute]) -> dict[str, type[Loadable]]:
    """The pages whose data can be asked beside the scripts: their state by their route."""
    return {page.route: page.first for page in pages if page.first is not None and page.protected}


def _in_its_own_file(body: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """A page whose script file holds nothing of other pages: the compiler names the files after modules."""

    def page() -> rx.Component:
        return body()

    page.__name__ = page.__qualname__ = body.__name__
    page.__module__ = f"{body.__module__}_{body.__name__}"
    return page


def register(app: rx.App, pages: Iterable[PageRoute]) -> frozenset[str]:
    """Add the pages to the app.

    Args:
        app: The app that will serve them.
        pages: The pages.

    Returns:
        The routes, as the app's router names them, that only somebody who is logged in may open.
    """
    protected: set[str] = set()
    for page in pages:
        app.add_page(
            _in_its_own_file(page.body),
            route=page.route or "index",
            title=page.title,
            on_load=list(page.on_load) or None,
            image="",
        )
        if page.protected:
            protected.add(page.route or "index")
    return frozenset(protected)
