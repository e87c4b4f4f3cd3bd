"""What all pages share, while it knows no subject.

The base of their states, session, guard, first data, live updates, layout, and the registry of pages.
"""
