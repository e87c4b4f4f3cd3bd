"""Data that comes in from a shop: customers, products, orders, bikes, invoices, service locations, tariffs and days.

A shop exports files or calls the API; the portal stores what it finds in its own tables. The rules:

- Every record names its kind and has an `external_id`, its id at the source. The source is the shop or system that the
  record comes from. Source, kind and external id together identify a record for ever.
- An import can be repeated. A record that did not change is skipped.
- Records may come in any order. A record that refers to one that has not come yet waits, is reported, and is stored
  when the other one comes.
- What changed in the portal since the last import is never overwritten. If the shop changed the same field as well, the
  difference is recorded, and staff decide.
- One bad record never stops the others. It is reported with line, field and reason, kept, and can be sent again.

Read the package in this order:

- `rules.records`, `rules.order_records`: the models of all kinds, from which the JSON Schema is made.
- `rules.reading`: reads CSV and JSON Lines without holding a file in memory.
- `rules.shopify`, `rules.woocommerce`: translate the exports of these shops into records.
- `provider.kinds`: how a record of each kind becomes rows.
- `provider.importer`: stores records in batches, and reports.
- `provider.command`: `python -m portal import`.
- `api`, `provider.service`: the same over HTTP, behind the key of the back office.
"""
