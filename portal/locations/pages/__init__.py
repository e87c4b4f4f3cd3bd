"""Pages of locations: the location and handover steps, and the service points of the customer service page."""
