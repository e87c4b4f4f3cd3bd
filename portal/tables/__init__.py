"""The tables of the database, one module per subject.

They are in one package because queries join subjects. Integer primary keys are internal; the API uses numbers and
short public ids.
"""

from __future__ import annotations

from sqlmodel import SQLModel

from portal.tables import bikes, customers, deliveries, drafts, insurance, messages, orders, returns, work_orders

metadata = SQLModel.metadata
"""All tables; migrations compare the database with it."""

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
