"""Returns: what can be returned and until when, what it is worth, and how it goes on."""
