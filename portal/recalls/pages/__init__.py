"""The page of a recall."""
