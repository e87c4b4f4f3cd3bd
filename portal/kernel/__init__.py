"""Basic rules that all other packages use. The package imports no other package of the portal and no framework.

Customers meet the same error texts, deadlines, date rules and input checks in every part of the portal. The retailer
changes a deadline or limit in one line. The rules:

- Times are stored in UTC and shown in Europe/Amsterdam.
- Amounts are `Decimal`, in euro including VAT, and computed on the server.
- Each cause of an error has its own code and text.
- Input is read tolerantly and stored in one normal form.

Read the package in this order:

- `terms`: deadlines and limits of the retailer.
- `codes`: error codes and their texts.
- `days`, `address`: dates and opening hours, addresses and countries.
- `validation`: checks and normal forms of customer input.
- `status_graph`: allowed transitions between statuses.
- `texts`: languages and translation catalogues, and costs.
- `processes`: locks and confinement.
"""
