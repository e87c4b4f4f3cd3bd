"""The tables of the database, a module a subject.

They stand together because queries join subjects. Integer primary keys stay inside; what travels is a number or a
short public id.
"""

from __future__ import annotations

from sqlmodel import SQLModel

from portal.tables import bikes, customers, deliveries, drafts, insurance, messages, orders, returns, work_orders

metadata = SQLModel.metadata
"""All tables of the house; migrations compare the database with it."""

__all__ = [
    "bikes",
    "customers",
    "deliveries",
    "drafts",
    "insurance",
    "messages",
    "metadata",
    "orders",
    "returns",
    "work_orders",
]
