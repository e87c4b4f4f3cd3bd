"""Bikes on the retailer's side: queries, service, and the answers to the bike question."""
