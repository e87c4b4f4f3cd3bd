"""Deliveries on the retailer's side: progress, changes of the day, mails and documents, and what staff may do."""
