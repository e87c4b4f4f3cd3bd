"""Service locations: where a bike is serviced, how far away that is, and how the bike gets there.

A search starts at a postcode or a place; both come from tables that are loaded once.
"""
