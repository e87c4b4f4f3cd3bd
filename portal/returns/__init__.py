"""Returns: a customer sends items back and gets the money or another item in exchange.

A customer starts one of four flows: return a bike or a part, return accessories, exchange a bike or a part, or return
products of one order. The last flow is the older one; a mailed link confirms it. Each flow asks which items, why, in
what state, and how they come back: to a store, picked up at home, or, with an unsafe battery, not until we have called.
The customer sees the amounts before sending, and follows the return on its own page.

The retailer moves a return from status to status: request received, pick-up, arrival, closed, refunded. Each change
is recorded in the history and mailed. The rules:

- Units are counted, not order lines. A unit can be in one open return only and has its own last day.
- The retailer's side computes every amount from what was paid. The customer's input never sets an amount.
- Items with an unsafe battery get no label and no pick-up; the back office is warned at once.

Read the package in this order:

- `rules.units`: which units can be returned, and until when.
- `rules.settlement`: what they are worth, line by line.
- `flow`: the questions. `items` and `pickup` hold shared fields, `kinds` declares the four flows.
- `api`: the operations and their models.
- `provider`: the retailer's side. `queries` reads the database, `entries` lists what can be returned, `handlers` serve
  the flows, `creation` stores a return, `transitions` changes its status, `confirmation` handles mailed links,
  `backoffice` and `cases` serve staff, `account` works out once what is said about a `return_case`, `documents` renders
  it as mails and PDFs, and `service` implements the operations.
- `pages`: the list, one return, the steps of the flows and the pages of the mailed links.

The statuses and their texts are in `portal.vocabulary.returns`. A withdrawal within 14 days needs no reason and has its
own package, `portal.withdrawals`; what it sends back is stored as a return.
"""
