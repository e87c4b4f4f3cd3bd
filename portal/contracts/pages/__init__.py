"""Pages of contracts, and their states."""
