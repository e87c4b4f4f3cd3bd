"""The retailer's side, put together: services, registry, API and commands.

`python -m portal.provider serve` runs it alone.
"""
