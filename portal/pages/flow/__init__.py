"""Turns a declaration into pages: a route for every step, the check page, the page after sending.

`screens` says what a flow can bring of its own, `routes` makes the pages.
"""

from portal.pages.flow.routes import flow_pages
from portal.pages.flow.screens import SentPage, StepPage, SubjectPages

__all__ = ["SentPage", "StepPage", "SubjectPages", "flow_pages"]
