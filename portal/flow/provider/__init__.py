"""Flows on the retailer's side: drafts and their files, saving, checking and sending."""
