"""How a model of the API reaches the browser: a state holds it, and the page reads its fields.

A state variable is the model, None until it is loaded: `recall: rx.Field[Recall | None] = rx.field(None)`. **All** its
fields are sent to the browser, so an operation answers nothing that its customer must not see. What a page computes for
each entry of a list is `@computed` in a subclass, made with `viewed`.

Moments, days and amounts arrive as the texts that `portal.i18n` formats, enums as their values, None as null.
"""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import reflex as rx
from pydantic import computed_field

from portal.contract.models import Model

V = TypeVar("V", bound=Model)

if TYPE_CHECKING:
    computed = property
else:
    computed = computed_field
"""A property of a model that reaches the browser, too."""


@rx.serializer(overwrite=True)
def _moment(value: datetime) -> str:
    return value.isoformat()


@rx.serializer(overwrite=True)
def _amount(value: Decimal) -> str:
    return f"{value:f}"


def viewed(view: type[V], model: Model) -> V:
    """A model as the subclass that computes what its page shows; nested models become those that the subclass names."""
    return view.model_validate(model, from_attributes=True)


def entry(model: rx.vars.ObjectVar[Any], name: str) -> rx.Var[Any]:
    """A field that has the name of a method of object Vars: `items`, `keys`, `values`, `entries`, `length` or `get`."""
    return model.__getattr__(name)
