"""All queries. A repository of customer data is made for one customer and carries that customer in every WHERE."""
