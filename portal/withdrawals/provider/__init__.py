"""Withdrawals on the retailer's side.

- `offer`: what can be withdrawn of an order.
- `receiving`: a withdrawal becomes a return.
- `declarations`: what was declared without a login, until the customer or staff answer it.
- `service`, `confirmation`, `backoffice`: the operations, the mailed link, and the case of staff.
"""
