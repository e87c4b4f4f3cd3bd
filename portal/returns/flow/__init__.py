"""The declarations of the four kinds of return: which items, in what condition, how they come back."""
