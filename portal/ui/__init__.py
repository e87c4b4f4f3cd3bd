"""Components that pages are composed of. They know no state class and send no requests to the server themselves.

Customers see the same cards, fields, notices and headings on every page, in both languages. The retailer gets pages
that work with keyboard and screen reader. The rules:

- A component gets Vars and event handlers as arguments. It does not import a state.
- Texts are translated Vars from `portal.i18n`; a component never holds a text in one language.
- Inputs are uncontrolled: the browser keeps what is typed until the form is sent.
- Behaviour in the browser is in the modules of `browser`, each loaded by the component that needs it.

Read the package in this order:

- `blocks`: cards, facts, buttons and links.
- `fields`, `choices`, `files`: controls with label, hint and error.
- `forms`: forms, their error summary and the password fields.
- `flow`: the form, heading and buttons of a step.
- `feedback`, `overlays`, `lists`: notices and placeholders, dialogs and notifications, lists and timelines.
- `illustrations`: the line drawings.
- `page` and `shell`: the frame of one page, and the header and footer around every page.
- `browser`: the browser modules and the build step that copies them.
"""

from portal.ui.blocks import (
    LINK,
    Fact,
    action_button,
    anchor,
    button_class,
    card,
    contact_buttons,
    copy_button,
    fact_list,
    link_button,
    pagination,
    reload_button,
    search_button,
    section,
    submit_button,
    text_link,
)
from portal.ui.feedback import (
    badge,
    confirm_button,
    empty_state,
    error_block,
    loaded,
    loading_block,
    notice,
    popup,
    skeleton,
    skeleton_cards,
    toaster,
)
from portal.ui.fields import Option, choice_cards, option_card, select_field, text_area, text_field, while_chosen
from portal.ui.forms import edge_form, error_summary, event_form, hidden_field, notice_on_failure, posted_form
from portal.ui.page import (
    BESIDE,
    COLUMNS,
    COMPACT,
    FOLLOWS,
    HALF,
    RIGHT_HALF,
    WIDE,
    back_link,
    document_title,
    page_frame,
)

__all__ = [
    "BESIDE",
    "COLUMNS",
    "COMPACT",
    "FOLLOWS",
    "HALF",
    "LINK",
    "RIGHT_HALF",
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
    "contact_buttons",
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
    "loading_block",
    "notice",
    "notice_on_failure",
    "option_card",
    "page_frame",
    "pagination",
    "popup",
    "posted_form",
    "reload_button",
    "search_button",
    "section",
    "select_field",
    "skeleton",
    "skeleton_cards",
    "submit_button",
    "text_area",
    "text_field",
    "text_link",
    "toaster",
    "while_chosen",
]
