"""Pages of insurance: the comparison, the steps of the request, the page after sending, the mailed link."""
