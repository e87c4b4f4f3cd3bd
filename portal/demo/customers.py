"""Customers of the demonstration shop, of `data/customers.json`."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from portal.demo.plans import (
    PRODUCTS,
    CustomerPlan,
    LinePlan,
    read_data,
)

_LINE, _CUSTOMER = TypeAdapter(LinePlan), TypeAdapter(CustomerPlan)


def _line(entry: Mapping[str, Any]) -> LinePlan:
    return _LINE.validate_python({**entry, "product": PRODUCTS[entry["product"]]})


def _customer(entry: Mapping[str, Any]) -> CustomerPlan:
    orders = [{**order, "lines": [*map(_line, order["lines"])]} for order in entry.get("orders", ())]
    return _CUSTOMER.validate_python({**entry, "orders": orders})


CUSTOMERS = tuple(map(_customer, read_data("customers.json")["customers"]))


def customer_of(email: str) -> CustomerPlan:
    return next(plan for plan in CUSTOMERS if plan.person.email == email)
