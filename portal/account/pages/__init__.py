"""The page of the customer's own data, and the address step of flows."""
