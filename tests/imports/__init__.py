"""Tests of the import of a shop's data."""
