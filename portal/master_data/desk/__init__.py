"""Pages on which staff change what the retailer keeps itself: state in `state`, page in `store_hours`."""
