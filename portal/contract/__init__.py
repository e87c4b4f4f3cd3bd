"""The contract between portal and provider: operations, what travels, and how it is refused."""
