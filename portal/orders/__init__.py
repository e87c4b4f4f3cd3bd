"""Orders and invoices: what a customer bought, what it cost, and what is paid.

A customer sees orders and invoices in two lists, newest first, and downloads an invoice as a PDF in the language of
the portal. An invoice with an amount due has a QR code for banking apps.

The retailer supplies orders, invoices and amounts; this package only reads them. Its only writes reserve and release
articles for exchanges. The rules:

- A customer can read only their own orders and invoices. Those of others are not found.
- Amounts are in euros and include VAT. The amount due of an order is the total less what is paid and what a return or
  an exchange settled.
- A cancelled invoice has no amount due.
- The same content in the same language gives the same PDF, byte for byte.

Read the package in this order:

- `api`: the operations and their models.
- `provider`: the retailer's side. `queries` reads orders and articles, `mapping` builds the models, `service`
  implements the operations on orders, `invoices` those on invoices, `invoice_document` holds the content of an invoice
  and `invoice_pdf` lays it out.
- `pages`: the lists with their states.

The page of one order also shows deliveries and returns, and is in `portal.overview`.
"""
