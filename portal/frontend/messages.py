"""The texts of error codes, of whole pages and of fields."""

from __future__ import annotations

import reflex as rx

from portal.i18n import Text, _, choice
from portal.kernel.codes import MESSAGES, STAFF_ONLY, Code
from portal.reflex_adapter.build import DESK, site_of_process


def message(code: rx.Var[str], **own: Text) -> rx.Var[str]:
    """The text of an error code; empty for an empty code, a general text for an unknown one."""
    hidden = frozenset() if site_of_process() is DESK else STAFF_ONLY
    texts: dict[str, Text] = {known.value: text for known, text in MESSAGES.items() if known not in hidden}
    return choice(code, {"": "", **texts, **own}, _("Something went wrong"))


@rx.memo
def refusal(code: rx.Var[str]) -> rx.Component:
    """The text of a refusal. As a memo, the whole catalogue is in one script file for all pages."""
    return rx.fragment(message(code))


def field_message(code: rx.Var[str], label: Text, *possible: Code, **own: Text) -> rx.Var[str]:
    """The text beside a field for an error code; empty for an empty code."""
    required = _("{label} is required.", label=label)
    texts: dict[str, Text] = {known.value: MESSAGES[known] for known in possible}
    return choice(code, {"": "", Code.REQUIRED.value: required, **texts, **own}, _("Check this field."))
