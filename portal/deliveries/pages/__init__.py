"""The order status page, and the pages that move a delivery to another day."""
