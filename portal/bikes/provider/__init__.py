"""Bikes on the retailer's side: queries, service, and the facts and checks of the bike steps."""
