"""What can come back and until when, and what it is worth."""
