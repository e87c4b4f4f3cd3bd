"""Deliveries: where an order is, part by part, and a change of its delivery day.

A customer follows an order on its status page: the phase, the planned day and time window, each shipment with its
carrier and tracking link, and the history. As long as the order is with us and has a planned day, the customer can ask
for another day: choose a week and a day, check the choice, and confirm it by a mailed link. The retailer then accepts
or refuses the request and mails the customer. Until the retailer accepts, the planned day does not change.

The retailer moves an order, or one shipment of it, from status to status. Each change is recorded in the history; the
important ones are mailed. The rules:

- We deliver from Monday to Saturday, except on public holidays of the country. A request after the cut-off counts
  as a request on the next working day.
- An order can travel in several shipments. The status of the order is that of the shipment furthest behind.
- An order has at most one pending request for another day. An unconfirmed request does not block a new one if
  its link has expired or its day is no longer free.
- A day has a limited number of places for moved deliveries. A request takes a place when it is confirmed. It
  gives the place back when it is refused or cancelled, or when the order is handed over to the carrier first.

Read the package in this order:

- `rules`: the days on which we can deliver. Returns use them for pick-ups, too.
- `api`: the operations and their models.
- `provider`: the retailer's side. `queries` reads and writes the database, `moving` decides whether a delivery can be
  moved and builds the models, `confirmation` mails the customer and handles the mailed links, `service` implements the
  operations, `documents` makes the PDF and the calendar file, `backoffice` and `cases` are what staff change.
- `pages`: `order_status` is the status page, `planned` the planned day and the page of the mailed link, `state`,
  `delivery_date` and `date_choice` the pages for another day, `tracking` the page without a login.

The statuses, their texts and the time windows are in `portal.vocabulary.deliveries`.
"""
