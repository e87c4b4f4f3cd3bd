"""Recalls on the retailer's side: loading them, warning owners, and the answers."""
