"""The retailer's side of people, audit and customers as staff see them."""
