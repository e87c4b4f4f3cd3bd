"""The same slice as two other communities would build it: Django with htmx, and FastAPI with React.

A login without a password, the dashboard, 25 orders, and a step of a flow with its draft. `python -m bench.peers`
builds both, starts them beside the portal with the same orders, and prints what each costs. Nothing in the portal
imports them, and what they need is installed apart from it. They speak Dutch only.
"""
