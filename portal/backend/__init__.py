"""The retailer's side that all subjects share: storage, login, messages, documents, files and the HTTP API.

A customer notices it as one login, as mails and text messages, as PDF documents and as uploads. For the retailer it
stores the data, runs work in the background and serves the back office. The rules:

- Every operation on a customer's data needs a session or the token of a mailed link.
- A mail is stored in the outbox in the same transaction as the change it reports, and is sent after the commit.
- Secrets are stored as hashes or encrypted. Logs contain no personal data.
- Each uploaded file is checked in a process of its own, which can open nothing else.

Read the package in this order:

- `context` and `service`: what every service receives, and its base class.
- `database`: connections, transactions and pages of lists.
- `sessions`, `security` and `limits`: login, keys and hashes, limits on attempts.
- `jobs` and `outbox`: work after a commit, and mails waiting to be sent.
- `mail`, `text_messages` and `mailbox`: the contents of messages; the mailbox of the demonstration.
- `transports`: mail server, files and the gateway for text messages behind one interface.
- `letter` and `pdf`: documents, with the fonts in `fonts` and the shared templates in `templates`.
- `files`: uploads.
- `live` and `backoffice`: news for open pages, and access of staff.
- `api`: the operations as HTTP routes.
"""
