"""Contracts on the retailer's side."""
