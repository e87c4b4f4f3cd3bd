"""Service locations: where a bike is serviced, how far away that is, and how the bike gets there.

Flows for a repair or a service ask for a location: the customer searches around a postcode or a place, sees locations
with distance, waiting time, rating and costs, and chooses one and a way to hand over the bike. The page of customer
service has a search for service points. The retailer keeps its workshops and those of its partners.

- `rules`: order, distance and costs of locations; postcodes and places, from tables in `data`; the map.
- `api`: models and operations.
- `flow`: the location step and the handover step.
- `pages`: the search, the map, the two steps, the service points.
- `provider`: queries, service, and the lines about a location on a confirmation.
"""
