"""Withdrawals: a customer withdraws from a purchase within 14 days, without a reason, with or without a session."""
