"""Tables, one module a subject. Integer primary keys stay inside; what travels is a number or a short public id."""

from __future__ import annotations

from sqlmodel import SQLModel

from portal.provider.tables import (
    bikes,
    customers,
    drafts,
    invoices,
    links,
    login,
    orders,
    outbox,
    partners,
    products,
    requests,
    returns,
    service_products,
    texts,
)

metadata = SQLModel.metadata
"""All tables of the house; migrations compare the database with it."""

__all__ = [
    "bikes",
    "customers",
    "drafts",
    "invoices",
    "links",
    "login",
    "metadata",
    "orders",
    "outbox",
    "partners",
    "products",
    "requests",
    "returns",
    "service_products",
    "texts",
]
