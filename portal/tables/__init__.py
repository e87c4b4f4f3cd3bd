"""The tables of the database, one module per subject.

The tables store what customers bought, requested and uploaded, and what the retailer answered. They are in one package
because queries join subjects. The rules:

- Integer primary keys are internal. The API uses order numbers, references and short public ids.
- Moments are stored in UTC, amounts as whole cents, enums as their text.
- Where two requests could race, a unique index or check constraint lets only one succeed.
- Mails, text messages, jobs and history are written in the transaction of the change they report.

Read the package in this order:

- `columns`, `wording`: column types and the base class; words of a shop in both languages.
- `customers`: customers, logins, sessions and limits.
- `orders`, `bikes`: orders, shipments, invoices, products and partners; bikes, packages and mileage.
- `pictures`: images of products.
- `deliveries`, `returns`, `withdrawals`, `work_orders`, `insurance`, `contracts`: requests and
  their history.
- `drafts`: requests being filled in, and uploaded files.
- `installation`: the id that the file store holds, too.
- `recalls`: product safety recalls and who was warned.
- `privacy`: copies of data, erasure, and their audit.
- `imports`: where imported rows came from, and records that wait or were rejected.
- `messages`: jobs, mails, text messages, mailed links and change counters.
- `backoffice`: idempotency keys of the back office.
- `staff`, `cases`: people of the retailer, and what they add to requests.
- `conversations`: messages about cases, and their templates.
- `terms`: the periods of the terms of each shop.
- `exports`: what leaves: webhooks, refunds to pay.
"""

from sqlmodel import SQLModel

from portal.tables import (
    backoffice,
    bikes,
    cases,
    contracts,
    conversations,
    customers,
    deliveries,
    drafts,
    exports,
    imports,
    installation,
    insurance,
    messages,
    orders,
    pictures,
    privacy,
    recalls,
    returns,
    staff,
    terms,
    withdrawals,
    work_orders,
)

metadata = SQLModel.metadata
"""Metadata of all tables, with which migrations compare the database."""

__all__ = [
    "backoffice",
    "bikes",
    "cases",
    "contracts",
    "conversations",
    "customers",
    "deliveries",
    "drafts",
    "exports",
    "imports",
    "installation",
    "insurance",
    "messages",
    "metadata",
    "orders",
    "pictures",
    "privacy",
    "recalls",
    "returns",
    "staff",
    "terms",
    "withdrawals",
    "work_orders",
]
