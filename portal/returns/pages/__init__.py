"""The pages of returns: the list, one return, and the steps of the four flows."""
