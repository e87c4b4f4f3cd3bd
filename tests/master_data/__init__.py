"""Tests of the changes that the retailer makes itself."""
