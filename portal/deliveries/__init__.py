"""Deliveries: where an order is, part by part, and a change of its delivery day.

A customer follows an order on its status page: the phase, the planned day and time window, each shipment with its
carrier and tracking link, and the history. As long as the order is with us, the customer can ask for another delivery
day: choose a week and a day, check the choice, and confirm it by a mailed link. The retailer then accepts or refuses
the request, and the customer is mailed. Until the retailer accepts, the planned day does not change.

The retailer moves an order, or one shipment of it, from status to status. Each change is recorded in the history; the
important ones are mailed. The rules:

- We deliver from Monday to Saturday, except on public holidays of the country. Orders after the cut-off count as
  orders of the next working day.
- An order can travel in several shipments. The status of the order is that of the shipment furthest behind.
- An order has at most one pending request for another day. A request whose link has expired, or whose day is full by
  now, does not block a new one.
- A day has a limited number of places for moved deliveries. Asking for a day takes no place; confirming it does. A
  refusal, a cancellation or the handover to the carrier gives the place back.

Read the package in this order:

- `rules`: the days on which we can deliver. Returns use them for pick-ups, too.
- `api`: the operations and their models.
- `provider`: the retailer's side. `queries` reads and writes the database, `moving` decides whether a delivery can be
  moved and builds the models, `confirmation` handles the mailed links, `service` implements the operations,
  `documents` makes the PDF and the calendar file, `mails` writes to the customer, `backoffice` and `date_backoffice`
  let staff change the status of a delivery and answer a request.
- `pages`: `views` turns the models into what the pages show, `state` holds the states. `order_status` and `shipments`
  are the status page, `planned` the planned day and the page of the mailed link, `delivery_date`, `date_choice` and
  `date_pending` the pages for another day.

The statuses, their texts and the time windows are in `portal.vocabulary.deliveries`.
"""
