"""The insurances side by side, the steps of the request, and the pages after sending."""
