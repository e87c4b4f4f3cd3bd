"""Returns: a customer sends something back and gets the money or another article for it.

There are four flows: return, accessories, exchange, and the older return of a whole order, which a mailed link
confirms. What can come back is counted unit by unit; what it is worth is computed by the retailer's side alone.
Withdrawing from a purchase within 14 days needs no reason and is a subject of its own, `portal.withdrawals`.
"""
