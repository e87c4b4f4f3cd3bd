"""What goes out: signed events, mails to the retailer's people, refunds to pay, and lists.

- Every event of a case goes to the webhooks that want it, as Standard Webhooks say: signed, retried for three days,
  in order for each case. The types and their contents are in docs/events.md.
- Staff are told by mail what a customer sent: the store, the desk, finance or the warehouse. Each morning a mail lists
  what is overdue.
- Refunds to pay, requests to hand over to insurers and cases are downloaded as files.

Nothing that leaves by an event or a mail to staff holds personal data; it leads to the case. Read the package in this
order:

- `rules`: what an event holds, and who is told.
- `api`: the operations of staff.
- `provider/cases`: an event of a case becomes deliveries and mails.
- `provider/webhooks`: the operations on webhooks, and the delivery of events.
"""
