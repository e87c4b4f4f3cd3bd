"""The dashboard, the page of one order and the page of one bike."""
