"""Insurance on the retailer's side: offers and premiums, requests, the mailed confirmation, and what staff may do."""
