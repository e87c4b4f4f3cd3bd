"""Tables, one module a subject. Integer primary keys stay inside; what travels is a number or a short public id."""

from __future__ import annotations

from sqlmodel import SQLModel

from portal.provider.tables import (
    bike_life,
    bikes,
    changes,
    customers,
    deliveries,
    drafts,
    insurances,
    invoices,
    links,
    login,
    orders,
    outbox,
    partners,
    passwords,
    products,
    requests,
    returns,
    service_products,
    texts,
    uploads,
    work_orders,
)

metadata = SQLModel.metadata
"""All tables of the house; migrations compare the database with it."""

__all__ = [
    "bike_life",
    "bikes",
    "changes",
    "customers",
    "deliveries",
    "drafts",
    "insurances",
    "invoices",
    "links",
    "login",
    "metadata",
    "orders",
    "outbox",
    "partners",
    "passwords",
    "products",
    "requests",
    "returns",
    "service_products",
    "texts",
    "uploads",
    "work_orders",
]
