"""The page about privacy rights, and the page after an erasure."""
