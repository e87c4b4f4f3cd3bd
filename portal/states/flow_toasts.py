"""Refusals of the catalogue that are told as a notification as well (part-1 §8). The page itself says them too."""

from __future__ import annotations

from collections.abc import Mapping

import reflex as rx

from portal.contract.errors import ProviderError
from portal.domain.codes import MESSAGES, Code
from portal.states.toasts import DEFAULT_MILLISECONDS, Toasts

TOLD = frozenset(
    {
        Code.REPAIR_REQUEST_LINE_NOT_FOUND,
        Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE,
        Code.REPAIR_REQUEST_INVALID_STATUS,
        Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES,
        Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE,
        Code.EXPIRED_REPAIR_REQUEST,
        Code.UNRESOLVED_FILES,
        Code.OPEN_WORK_ORDER_EXISTS,
        Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID,
        Code.SERVICE_REQUEST_NOT_VALID,
        Code.POSTAL_CODE_NOT_FOUND,
        Code.NO_DELIVERY_OPTIONS,
        Code.LOCATION_OUT_OF_REACH,
        Code.LOCATION_CLOSED,
        Code.LOCATION_ON_VACATION,
        Code.INSURANCE_OPTIONS_FAILED,
        Code.INSURANCE_EXISTS,
        Code.INSURANCE_REQUEST_EXISTS,
        Code.INSURANCE_TERM_OVER,
        Code.PACKAGE_EXISTS,
        Code.ORDER_CANCELLED,
        Code.ALREADY_RETURNED,
    }
)


async def tell(
    state: rx.State, error: ProviderError, title: str = "", advice: str = "", names: Mapping[str, str] | None = None
) -> None:
    """Show a notification for a refusal.

    Args:
        state: any state of the tab.
        error: the refusal.
        title: English text of what failed as a whole; without it the refusal itself is the title.
        advice: English text of the flow that goes with the title, unless the refusal is one of those that are told.
            Without it the refusal says itself what is wrong.
        names: what fills the `{names}` in the title.
    """
    # What is merely not filled in yet is said by the summary alone.
    only_empty = bool(error.fields) and set(error.fields.values()) == {Code.REQUIRED}
    told = (code for code in (error.code, *error.fields.values()) if code in TOLD and not only_empty)
    reason = MESSAGES[code] if (code := next(told, None)) else ""
    if title:
        text = reason or advice or MESSAGES[error.code]
        (await state.get_state(Toasts))._add("error", title, text, DEFAULT_MILLISECONDS, **(names or {}))
    elif reason:
        (await state.get_state(Toasts))._add("error", reason)
