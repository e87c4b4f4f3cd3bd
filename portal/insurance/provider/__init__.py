"""Insurance on the retailer's side: queries, service, flow handler, link handler, back office."""
