"""The page on which a service package is chosen and taken out."""
