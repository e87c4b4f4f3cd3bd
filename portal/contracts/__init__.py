"""Contracts that a customer took out in this portal: service packages and insurances.

Customers see what runs, since when, what it costs, and until when they can withdraw; later they cancel. Both take two
steps: declare and confirm. A guest does the same with the reference number and the e-mail address; that is received and
changes nothing until the customer confirms it by the mailed link or while logged in, or staff do. The receipt with date
and time is mailed at once. The law is Directive 2023/2673.

- `rules`: the kind of the ending, its day, and the amounts.
- `api`: operations and models, with and without a session.
- `pages`: the list, the page of a contract, the page of guests, the page of the mailed link.
- `provider`: queries, service, link handler, job that ends a contract, and the back office; `templates`: the mail.
"""
