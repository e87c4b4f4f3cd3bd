"""What may come in, in which forms, and why a record is refused."""
