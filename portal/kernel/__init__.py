"""What is true of bikes, orders and requests, whoever asks. Pure Python."""
