"""Withdrawals: a customer withdraws from a purchase within 14 days of delivery, without giving a reason.

The customer chooses the whole order or single items, confirms the declaration, and gets a receipt at once, on the page
and by mail. A guest does the same with order number and e-mail address; that is received, and changes nothing until the
customer confirms it by the mailed link or at the order, or staff do. When an item has a battery, the customer has
to say what state it is in before getting the address to send it to. The law is Directive 2023/2673.

The retailer stores a withdrawal as a return of the kind `withdrawal`, so `portal.returns` handles it from then on:
status, refund, label, mails.

- `api`: the operations and their models, with and without a session.
- `provider`: what can be withdrawn, declarations, the return that follows, the mailed link, the case of staff.
- `pages`: `state` holds the steps of customer and guest, `parts` the components, `withdrawal` the two pages.
"""
