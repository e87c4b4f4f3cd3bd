"""Words that are stored, travel and are shown: one enum a family, and one table that says all about each word."""
