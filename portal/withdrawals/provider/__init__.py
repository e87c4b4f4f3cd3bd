"""Withdrawals on the retailer's side."""
