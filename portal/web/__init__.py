"""Plain HTTP around the pages: sessions, cookies, form posts, redirects, security headers and socket limits.

Customers stay logged in by a cookie, log in by a form post, and are sent to the login page and back to the page they
asked for. The retailer gets the protection that every response needs. The rules:

- The session cookie is not readable by scripts. The provider checks the token; the portal caches the answer briefly.
- A request that changes something must come from a page of the portal itself.
- Page HTML holds no customer data. When the provider is unavailable, pages open and show the error.

Read the package in this order:

- `cookies`: the cookies and how they are read and set.
- `session`: whether a session is alive.
- `forms`: checks and responses that all form posts share, and the pages to open after login.
- `documents`: redirects before a page is served.
- `headers`: security headers, content security policy and allowed origins.
- `sockets`: limits on open event sockets.
- `mailbox`: the mails of the demonstration.

The routes of a subject are in its own `http` module, such as `portal.login.http`.
"""
