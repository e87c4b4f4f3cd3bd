"""The page with the customer's own data, and the address step of the flows."""
