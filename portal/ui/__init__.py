"""Components without knowledge of state. Pages compose them; nothing here asks the server for anything."""

from portal.ui.blocks import (
    LINK,
    Fact,
    action_button,
    anchor,
    button_class,
    card,
    copy_button,
    fact_list,
    link_button,
    pagination,
    reload_button,
    section,
    submit_button,
    text_link,
)
from portal.ui.choices import Option, choice_cards, option_card
from portal.ui.feedback import badge, empty_state, error_block, loaded, notice, skeleton, skeleton_cards
from portal.ui.fields import select_field, text_area, text_field
from portal.ui.forms import edge_form, error_summary, event_form, hidden_field, notice_on_failure
from portal.ui.overlays import confirm_button, popup, toaster
from portal.ui.page import WIDE, back_link, document_title, page_frame

__all__ = [
    "LINK",
    "WIDE",
    "Fact",
    "Option",
    "action_button",
    "anchor",
    "back_link",
    "badge",
    "button_class",
    "card",
    "choice_cards",
    "confirm_button",
    "copy_button",
    "document_title",
    "edge_form",
    "empty_state",
    "error_block",
    "error_summary",
    "event_form",
    "fact_list",
    "hidden_field",
    "link_button",
    "loaded",
    "notice",
    "notice_on_failure",
    "option_card",
    "page_frame",
    "pagination",
    "popup",
    "reload_button",
    "section",
    "select_field",
    "skeleton",
    "skeleton_cards",
    "submit_button",
    "text_area",
    "text_field",
    "text_link",
    "toaster",
]
