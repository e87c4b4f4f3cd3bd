"""The HTTP client of a provider that runs elsewhere, derived from the declared operations."""
