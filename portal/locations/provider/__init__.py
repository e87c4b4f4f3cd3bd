"""Service locations on the retailer's side: search, details, opening hours."""
