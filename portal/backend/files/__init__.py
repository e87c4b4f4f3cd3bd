"""Files of customers: where they are kept (`store`), how they arrive (`arrival`), what they are (`checks`)."""
