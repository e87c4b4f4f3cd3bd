"""The retailer's side of orders and invoices: queries, operations, and the invoice as a PDF."""
