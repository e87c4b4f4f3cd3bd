"""Deliveries: where an order is, part by part, and moving its delivery to another day."""
