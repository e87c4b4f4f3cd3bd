"""The base of components that live in our browser modules."""

from __future__ import annotations

from typing import Any

import reflex as rx


class BrowserElement(rx.Component):
    """A React component of `portal/ui/browser`; subclasses name the module and the component."""

    def add_imports(self) -> dict[str, Any]:
        """Nothing beyond the component itself."""
        return {}


def identified(name: str | rx.Var[str], **attributes: Any) -> dict[str, Any]:
    """Attributes with an `id`, for `custom_attrs`.

    An `id` given as a property would make the framework keep a reference to the element in every page.
    """
    return {"id": name, **attributes}
