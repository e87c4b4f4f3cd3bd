"""Withdrawals: a customer withdraws from a purchase within 14 days of delivery, without giving a reason.

The customer chooses the whole order or single items, and declares as `portal.declarations` describes. When an item has
a battery, the customer has to say what state it is in before getting the address to send it to.

The retailer stores a withdrawal as a return of the kind `withdrawal`, so `portal.returns` handles it from then on:
status, refund, label, mails.

- `api`: the operations and their models, with and without a session.
- `provider`: what can be withdrawn, declarations, the return that follows, the mailed link, the case of staff.
- `pages`: `state` holds the steps of customer and guest, `components` their parts, `withdrawal` the two pages.
"""
