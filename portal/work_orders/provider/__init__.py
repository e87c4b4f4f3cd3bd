"""The retailer's side of work orders: creation, confirmation, history, and changes by the back office."""
