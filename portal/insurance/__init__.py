"""Bicycle insurance: what is offered for a bike, what it costs, and where a request stands.

Claiming damage is a work order and stands in `portal.work_orders`.
"""
