"""The customer service page: how to reach the shop, when, and where each subject is arranged."""
