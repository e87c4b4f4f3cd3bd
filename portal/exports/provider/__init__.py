"""Webhooks, mails to staff and exports on the retailer's side."""
