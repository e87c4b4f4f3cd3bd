"""Stores imported records in the tables of the portal."""
