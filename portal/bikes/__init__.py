"""Bikes: the list of a customer's bikes, and the questions about a bike that several flows ask.

A bike comes with an order line. Customers see their bikes, newest order first; a flow about a bike (repair, service,
claim, insurance, service package) first asks which bike it is about, and some ask for the pin code of its lock. The
retailer decides which bikes can be chosen and keeps the pin code to itself.

- `api`: models and operations.
- `flow`: the bike step and the pin code step.
- `pages`: the list, the two steps, their states.
- `provider`: queries, service, and the facts behind the two steps.

The page of one bike combines many subjects and belongs to `portal.overview`.
"""
