"""What the retailer changes itself: prices, tariffs, places of delivery days, and the hours of its locations.

Every change has a day from which it holds, so that it can be announced. A shop that has its own system sends the same
data by import; what staff change here is never overwritten by it (`portal.imports`).

Read the package in this order:

- `api`: the models, and the operations of staff.
- `provider.prices`: prices, tariffs and places; a change is a row.
- `provider.locations`: waiting weeks, opening hours and vacations; a job writes a change on its day.
- `provider.store_hours`, `desk`: managers change waiting time and vacation of their stores.
"""
