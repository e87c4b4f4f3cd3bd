"""The customer portal of a bicycle retailer, and the provider behind it."""
