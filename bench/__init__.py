"""Measurements that can be repeated: `python -m bench.pages` and `python -m bench.events`."""
