"""Privacy rights: a copy of one's data, erasure, and how long data are stored.

A customer who is logged in can ask for everything that the portal holds about them. A job packs it into a ZIP file with
the data as JSON and the files that they uploaded; a mail says when it can be downloaded. They can also have their data
erased, in two steps with a mailed code. What tax law keeps stays until its period is over.

The retailer sets how long orders, requests and messages are stored (`PORTAL_RETENTION__*`). The rules:

- `provider/inventory` says for every column of every table whether it is personal, whether the copy has it, and when it
  is emptied. A table or column that is missing there fails a test.
- Data that are needed for something that still runs are not erased; the page says what that is.
- An erasure is one transaction. Files follow in a job, which runs again until it is done.
- Every export, erasure and deletion leaves an entry in the audit (`privacy_events`), with numbers and no personal data.

Read the package in this order:

- `api`: the operations and models.
- `provider/inventory`: what is stored about a customer.
- `provider/erasure`: the erasure and the periods.
- `provider/service`: the operations, and the copy.
- `http`: the download of the copy.
- `pages`: the page with its state.
"""
