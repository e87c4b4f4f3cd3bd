"""The pages with the list of orders and the list of invoices."""
