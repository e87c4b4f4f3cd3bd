"""What is private to the libraries below the portal is still as the adapter expects."""
