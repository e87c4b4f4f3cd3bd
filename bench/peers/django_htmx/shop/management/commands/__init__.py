"""Commands of the slice."""
