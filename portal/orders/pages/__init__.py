"""The lists of orders and of invoices."""
