"""Contracts on the retailer's side.

- `queries`: what the customer took out, and its ends.
- `account`: what page and mail say about an end.
- `ends`: declare, confirm, take back, process; the job that ends a contract on its day.
- `service`, `confirmation`, `backoffice`: the operations, the mailed link, and the case of staff.
"""
