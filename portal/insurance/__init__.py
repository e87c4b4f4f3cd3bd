"""Bicycle insurance: offers, premiums, requests and policies.

A customer can insure a bike up to 14 days after purchase. They compare the packages that the shop offers and send a
request, or say that they want no insurance or have one. A request waits until the customer opens the link in a mail,
then goes to the insurer. Staff record the answer of the insurer: a question, a policy number, or a cancellation. The
customer sees the status, and gets a mail when it changes.

- `rules`: packages, premiums, periods, and the reasons for refusing a bike.
- `api`: models and operations.
- `flow`: the request in steps.
- `pages`: the comparison (`insurances`), the steps (`request`), the status of a request with the page after sending and
  the page of the mailed link (`status`).
- `provider`: queries with the offers, the account of a request, the back office with the case of staff, and the service
  with the handlers of the flow and of the link; its templates are the mails.

A claim is a work order and belongs to `portal.work_orders`.
"""
