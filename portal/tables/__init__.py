"""The tables of the database, one module per subject.

The tables store what customers bought, requested and uploaded, and what the retailer answered. They are in one package
because queries join subjects. The rules:

- Integer primary keys are internal. The API uses order numbers, references and short public ids.
- Moments are stored in UTC, amounts as whole cents, enums as their text.
- Where two requests could race, a unique index or check constraint lets only one succeed.
- Mails, text messages, jobs and history are written in the transaction of the change they report.

Read the package in this order:

- `columns`: column types, the base classes, words of a shop in both languages.
- `customers`: customers, logins, sessions and limits; copies of data, erasure, and their audit.
- `orders`, `bikes`: orders, shipments, invoices, products and partners; bikes, packages, mileage, pictures, recalls.
- `deliveries`, `returns`, `work_orders`, `insurance`: requests, declarations, ends of contracts, and their history.
- `drafts`: requests being filled in, and uploaded files.
- `exchange`: imported rows, webhooks, refunds to pay, the id that the file store holds, too.
- `messages`: jobs, mails, text messages, mailed links, change counters, keys of the back office, messages about cases.
- `staff`, `cases`: people of the retailer, and what they add to requests.
"""

from sqlmodel import SQLModel

from portal.tables import (
    bikes,
    cases,
    customers,
    deliveries,
    drafts,
    exchange,
    insurance,
    messages,
    orders,
    returns,
    staff,
    work_orders,
)

metadata = SQLModel.metadata
__all__ = [
    "bikes",
    "cases",
    "customers",
    "deliveries",
    "drafts",
    "exchange",
    "insurance",
    "messages",
    "metadata",
    "orders",
    "returns",
    "staff",
    "work_orders",
]
