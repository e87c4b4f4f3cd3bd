"""The operations of the house, one module a subject. `house.py` puts them together."""
