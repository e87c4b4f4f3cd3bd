"""Service locations on the retailer's side: queries, mapping, service, lines of a confirmation."""
