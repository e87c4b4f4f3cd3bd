"""Tables, one module a subject. Integer primary keys stay inside; what travels is a number or a short public id."""

from __future__ import annotations

from sqlmodel import SQLModel

from portal.provider.tables import (
    bikes,
    changes,
    customers,
    drafts,
    invoices,
    login,
    orders,
    outbox,
    partners,
    requests,
    work_orders,
)

metadata = SQLModel.metadata
"""All tables of the house; migrations compare the database with it."""

__all__ = [
    "bikes",
    "changes",
    "customers",
    "drafts",
    "invoices",
    "login",
    "metadata",
    "orders",
    "outbox",
    "partners",
    "requests",
    "work_orders",
]
