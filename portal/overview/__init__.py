"""Pages that combine several subjects: the dashboard, one order, one bike; and which actions are open there.

The dashboard shows the open requests, deliveries and returns of a customer, unsent drafts, and what can be started. The
page of an order shows delivery, items, costs and returns. The page of a bike shows its next service, warranty,
insurance, timeline and documents; the customer enters the mileage there. The retailer decides which actions are open,
and gives the reason for each that is not.

- `rules`: which actions are open, and the reasons.
- `api`: models and operations of the dashboard and of one bike; an order comes from `portal.orders`.
- `pages`: the three pages with their views and states.
- `provider`: the dashboard, the page of a bike, its timeline.
"""
