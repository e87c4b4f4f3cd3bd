"""Every component on one page, in the real shell."""
