"""The pages of a withdrawal, for customers and guests."""
