"""Components that pages are composed of. They know no state class and send no requests to the server themselves.

A page imports the kit as a whole, `from portal import ui`, and is written with it: `ui.text`, `ui.stack`, `ui.card`.
Customers see the same cards, fields, notices and headings on every page, in both languages. The retailer gets pages
that work with keyboard and screen reader. The rules:

- A component gets Vars and event handlers as arguments. It does not import a state.
- Texts are translated Vars from `portal.i18n`; a component never holds a text in one language.
- Inputs are uncontrolled: the browser keeps what is typed until the form is sent.
- Behaviour in the browser is in the modules of `browser`, each loaded by the component that needs it.

Read the package in this order:

- `layout`: text, stacks, rows, and cards to choose from.
- `blocks`: cards, facts, buttons and links.
- `fields`: controls with label, hint and error.
- `forms`: forms, their error summary and the password fields.
- `flow`: the form, heading and buttons of a step.
- `feedback`, `lists`: notices, placeholders and dialogs, lists and timelines.
- `illustrations`: the line drawings.
- `page` and `shell`: the frame of one page, and the header and footer around every page.
- `browser`: the browser modules and the build step that copies them.
"""

from portal.ui import illustrations
from portal.ui.blocks import (
    LINK,
    Fact,
    Style,
    action_button,
    anchor,
    button_class,
    card,
    chip,
    contact_buttons,
    copy_button,
    fact_list,
    fact_row,
    facts,
    link_button,
    pagination,
    reload_button,
    search_button,
    section,
    submit_button,
    tall_link,
    text_link,
)
from portal.ui.feedback import (
    badge,
    confirm_button,
    empty_state,
    error_block,
    loading_block,
    notice,
    popup,
    skeleton,
    skeleton_cards,
)
from portal.ui.fields import (
    Option,
    Suggestion,
    choice_cards,
    code_field,
    described,
    error_line,
    labelled,
    option_card,
    select_field,
    suggestions,
    text_area,
    text_field,
    while_chosen,
)
from portal.ui.flow import (
    QUESTION,
    ahead,
    file_field,
    look_again,
    print_button,
    step_back,
    step_bar,
    step_form,
    step_heading,
    when_shown,
)
from portal.ui.forms import (
    end_of_address,
    error_summary,
    event_form,
    failure_box,
    focus_box,
    hidden_field,
    notice_on_failure,
    password_field,
    password_rules,
    posted_form,
    unsaved_guard,
    wait_note,
)
from portal.ui.layout import (
    Shown,
    block,
    column,
    grow,
    hidden_text,
    if_text,
    item_list,
    lead,
    line,
    muted,
    radio_card,
    revealing,
    row,
    small,
    small_heading,
    stack,
    strong,
    subheading,
    text,
    when,
)
from portal.ui.lists import (
    chevron,
    cover_marks,
    covered,
    event_line,
    included,
    list_loading,
    not_covered,
    note,
    per_month,
    request_phases,
    row_list,
    timeline,
    tracker,
)
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
    head_components,
    page_frame,
    patterns_of,
    sample_path,
)
from portal.ui.shell import (
    LOGOUT_FAILED,
    LOGOUT_ROUTE,
    Account,
    Drawer,
    LanguageSwitch,
    Logout,
    MenuItem,
    ShellState,
    Shop,
    framed,
    shell,
)
