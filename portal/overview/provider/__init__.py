"""The retailer's side of the dashboard and of the page of a bike, with its timeline."""
