"""The pages of returns: the list, one return, the four flows and the pages of the mailed links."""
