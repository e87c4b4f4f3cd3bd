"""What a page shows, kept per tab on the server, and who may change it."""
