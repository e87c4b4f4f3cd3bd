"""What travels to the browser: plain values, made from the contract for one page each.

Amounts are strings with two decimals, days and moments ISO 8601; the browser writes them in the customer's language.
"""
