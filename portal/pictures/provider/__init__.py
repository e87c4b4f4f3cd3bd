"""Images of products: stored, brought to size, looked up."""
