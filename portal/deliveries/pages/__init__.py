"""The order status page, and the pages on which a customer asks for another delivery day."""
