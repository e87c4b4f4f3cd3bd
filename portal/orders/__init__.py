"""Orders and invoices: what a customer bought, what it cost, and what is paid.

The page of one order shows deliveries and returns too and stands in `portal.overview`.
"""
