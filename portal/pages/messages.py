"""The catalogue of refusals as texts of a page."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import Text, _, choice


def message(code: rx.Var[str], **own: Text) -> rx.Var[str]:
    """The text of an error code; empty while there is none, a general text for an unknown one.

    Args:
        code: A code of the catalogue, or an empty text.
        own: Texts for single codes that say more in this place.
    """
    texts: dict[str, Text] = {known.value: text for known, text in MESSAGES.items()}
    return choice(code, {"": "", **texts, **own}, _("Something went wrong"))


@rx.memo
def refusal(code: rx.Var[str]) -> rx.Component:
    """Why something was refused, in words. One script file holds the whole catalogue, for all pages that may need it.

    Args:
        code: A code of the catalogue.
    """
    return rx.fragment(message(code))


def field_message(code: rx.Var[str], label: Text, *possible: Code, **own: Text) -> rx.Var[str]:
    """The text beside a field for an error code; empty while there is none.

    Args:
        code: A code of the catalogue, or an empty text.
        label: Name of the field, for "{label} is verplicht.".
        *possible: Codes that the field can get, so that a page ships only their texts.
        own: Texts for single codes that say more in this place.
    """
    required = _("{label} is required.", label=label)
    texts: dict[str, Text] = {known.value: MESSAGES[known] for known in possible}
    return choice(code, {"": "", Code.REQUIRED.value: required, **texts, **own}, _("Check this field."))
