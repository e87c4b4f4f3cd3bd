"""What every page of the staff site ('balie') shares. The pages themselves are in the `desk` of each subject.

Staff work with tables and the keyboard, on wide screens and on a phone, and see only what their role and store allow.
The site is a build and a process of its own, so customers' pages do not grow by it (decision 0078). The rules:

- Every event handler declares a right with `@staff(Right.X)`; without one the site does not start.
- A page is a `DeskRoute` in the list `PAGES` of its module; the module is a line in `portal.subjects.DESK_MODULES`.
- A page loads its data with `DeskPage`, and again when they change with `LiveDeskPage`.

Read the package in this order:

- `session`: who is logged in, what the guard asks about it, and the redirects to the login.
- `state`: the bases of the states of pages and of their forms, and the counts of the navigation.
- `registry`: pages and the navigation.
- `views`, `tables`, `forms`: page frame, states of loading, tables, split layouts, filters, keys and files.
- `shell`: the bar and the navigation around every page; the error pages.
"""
