"""What goes out, on the retailer's side."""
