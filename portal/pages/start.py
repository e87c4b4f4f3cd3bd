"""The start page."""

import reflex as rx

from portal.pages.registry import Page


def start() -> rx.Component:
    """Show the name of the shop."""
    return rx.el.main(rx.el.h1("Bovenbuis"), class_name="bg-paper md:px-6 max-w-page")


PAGES = [Page("", start, "Bovenbuis", protected=False)]
