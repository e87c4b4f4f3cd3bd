"""Models of the API in variables of states: how their values arrive in the browser, and which never get there."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib import import_module
from typing import Any, get_args

import reflex as rx
from pydantic import BaseModel, computed_field

from portal.contract.models import Amount, Model
from portal.frontend.models import entry, viewed
from portal.reflex_adapter.state import json_dumps
from portal.subjects import DESK_MODULES, MODULES
from portal.vocabulary.services import Remedy

SECRETS = {"jwt", "challenge", "token", "password", "secret"}
"""Fields of answers that only the servers may know."""


class _Line(Model):
    name: str


class _Bill(Model):
    items: list[_Line]
    total: Amount
    day: date
    at: datetime
    remedy: Remedy | None = None


class _LineView(_Line):
    @computed_field
    @property
    def long_name(self) -> str:
        return f"{self.name} {self.name}"


class _BillView(_Bill):
    items: list[_LineView]  # pyrefly: ignore[bad-override]  # the model is frozen, so its list is only read


_BILL = _Bill(
    items=[_Line(name="a")],
    total=Decimal("3.50"),
    day=date(2026, 6, 3),
    at=datetime(2026, 6, 3, 8, tzinfo=UTC),
    remedy=Remedy.REPAIR,
)


def test_the_browser_gets_the_texts_that_pages_format() -> None:
    assert json.loads(json_dumps(viewed(_BillView, _BILL))) == {
        "items": [{"name": "a", "long_name": "a a"}],
        "total": "3.50",
        "day": "2026-06-03",
        "at": "2026-06-03T08:00:00+00:00",
        "remedy": "repair",
    }


def test_a_field_with_the_name_of_a_method_can_be_read() -> None:
    bill = rx.Var("bill", _var_type=_Bill).to(rx.vars.ObjectVar, _Bill)
    assert str(entry(bill, "items")) == 'bill?.["items"]'


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    for found in (annotation, *get_args(annotation)):
        if found is not annotation:
            yield from _models_in(found)
        elif isinstance(found, type) and issubclass(found, BaseModel):
            yield found
            for field in found.model_fields.values():
                yield from _models_in(field.annotation)


def _states(state: Any) -> Iterator[Any]:
    for below in state.get_substates():
        yield below
        yield from _states(below)


def test_no_state_holds_a_model_with_a_secret() -> None:
    for module in (*MODULES, *DESK_MODULES):
        import_module(module)
    held = [
        f"{state.__name__}.{name}: {model.__name__}"
        for state in _states(rx.State)
        for name, field in state.get_fields().items()
        if not name.startswith("_")
        for model in _models_in(field.outer_type_)
        if SECRETS & set(model.model_fields)
    ]
    assert not held
