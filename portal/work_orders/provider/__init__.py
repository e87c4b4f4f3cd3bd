"""Work orders on the retailer's side: making one, its confirmation and history, and what staff may do."""
