"""What the ends of contracts and withdrawals from orders share: somebody declares, and the receipt comes at once.

A number and an e-mail address are no proof that the customer declares. So what is declared without a login is stored
and mailed with its date, changes nothing, and counts from that date once the customer confirms it by the mailed link
or logged in, or staff do. The law is Directive 2023/2673.

- `provider`: the row, its mails, its link, its case.
- `pages`: the steps of customers and guests, and the page of the link.
"""
