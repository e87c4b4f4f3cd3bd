"""The HTTP API of the provider.

`routes` derives the routes from the operations and writes the envelope; `layers` holds the middleware and the error
handlers.
"""
