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
- What does not identify a record rejects nothing: a field that cannot be read is left empty, with a note.

Every record, of whatever source and kind, takes the same four steps. `provider.importer` leads it through them, and
`provider.report` counts:

1. Read, `rules.files`: `rules.reading` reads any file in any encoding, `rules.adapting` translates by the tables of
   `rules.shopify` and `rules.woocommerce`. The API begins with what this gives.
2. Clean, `rules.cleaning`: the rules of forms, and the models of `rules.records`.
3. Reconcile, `rules.order_records`: what an order cost, and whether it adds up.
4. Store, `provider.storing`: as rows (`provider.kinds`), merged with what is there (`provider.merging`).

`provider.command` is `python -m portal import`; `api` and `provider.service` are the same over HTTP.
"""
