"""Enums of the shop: statuses, kinds and choices that are stored, sent over the API and shown.

Customers see the same label, explanation and colour for a status on every page, in mails and in documents. The
retailer adds a status, with its label, meaning and transitions, in one entry. The rules:

- Portal and provider share these enums. Where an enum has `UNKNOWN`, a value that only a newer provider knows is read
  as `UNKNOWN`, which is never stored or offered.
- The sets of statuses and the graph of a family are derived from its table, never listed a second time.
- Labels and meanings are English texts marked for translation.

Read the package in this order:

- `status`: the base of all status tables.
- `orders`, `deliveries`: order lines, payments and invoices; deliveries and requests for another day.
- `returns`, `work_orders`, `insurance`: the requests of customers.
- `services`, `locations`: service packages and jobs; where and how a bike is serviced.
- `actions`: actions of the dashboard, and the topics of change notifications.
- `links`, `files`: mailed links and uploaded files.
"""
