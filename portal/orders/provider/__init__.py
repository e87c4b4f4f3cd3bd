"""Orders and invoices on the retailer's side: queries, service, and the invoice as a PDF."""
