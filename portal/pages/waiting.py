"""What stands on the page until the scripts of a dynamic address have come."""

from __future__ import annotations

import reflex as rx

from portal.ui import page_frame, skeleton, skeleton_cards


def waiting_page() -> rx.Component:
    """A heading and three cards in grey. It is prerendered once, for no address in particular."""
    return page_frame(skeleton("h-11 w-72 max-w-full appear"), skeleton_cards(3, "h-40"))
