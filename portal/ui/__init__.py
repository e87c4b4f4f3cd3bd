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
from portal.ui.blocks import *
from portal.ui.feedback import *
from portal.ui.fields import *
from portal.ui.flow import *
from portal.ui.forms import *
from portal.ui.layout import *
from portal.ui.lists import *
from portal.ui.page import *
from portal.ui.shell import *
