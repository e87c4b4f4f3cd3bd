"""Privacy rights on the retailer's side: inventory, copy, erasure, retention, and the operations."""
