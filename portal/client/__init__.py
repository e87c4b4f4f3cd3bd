"""The HTTP client of a remote provider, derived from the declared operations.

`provider` holds the entry point `HttpProvider`, `remote` derives the client of each API, `caller` sends HTTP requests
with deadlines and retries, `answers` reads the responses.
"""
