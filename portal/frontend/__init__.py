"""The base that the pages of all subjects share. It knows no subject.

A subject lists its pages as `PageRoute`, writes their states on top of `Loadable` or `Live`, and declares with
`@public` or `@customer` who may call an event handler. The guard checks every event before its handler runs.

* `registry`: turns the pages of the subjects into routes, and puts their first data into documents.
* `session`: the session of a tab, and the policies of event handlers. `guard`: the middleware that enforces them.
* `models`: how models of the API reach the browser.
* `live`: the states of pages that load data, and of those that update by themselves. `file_views`: files on pages.
* `layout`: header, menu, footer and error pages. `load_views`: loading, failed and list pages, cards, download links.
* `actions`, `texts`, `toasts`: tiles and buttons, texts of statuses and errors, notifications.
"""

import portal.frontend.models  # noqa: F401 - registers its serializers
