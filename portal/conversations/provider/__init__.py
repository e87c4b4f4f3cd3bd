"""The retailer's side of conversations: stores, sends and reads messages."""
