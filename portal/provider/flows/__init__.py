"""The retailer's side of the flows: one module each."""
