"""Changes that the retailer makes itself: prices in `prices`, locations in `locations`."""
