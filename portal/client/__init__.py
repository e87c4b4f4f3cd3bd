"""The provider contract over HTTP: what the portal uses when the retailer's side runs elsewhere."""
