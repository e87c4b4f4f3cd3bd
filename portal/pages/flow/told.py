"""What a request that was sent tells about itself."""

from __future__ import annotations

import reflex as rx

from portal.states.flow import FlowRun


def receipt_text(name: str) -> rx.Var[str]:
    """An entry of the summary of the receipt; empty when it has none of this name."""
    summary = FlowRun.receipt.summary.to(dict[str, str])
    return rx.cond(summary.contains(name), summary[name], "").to(str)
