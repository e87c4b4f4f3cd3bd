"""Contracts that a customer took out in this portal: service packages and insurances.

Customers see what runs, since when, what it costs, and until when they can withdraw; later they cancel. Both are
declared as `portal.declarations` describes.

- `rules`: the kind of the ending, its day, and the amounts.
- `api`: operations and models, with and without a session.
- `pages`: the list, the page of a contract, the page of guests, the page of the mailed link.
- `provider`: queries, service, link handler, job that ends a contract, and the back office; `templates`: the mail.
"""
