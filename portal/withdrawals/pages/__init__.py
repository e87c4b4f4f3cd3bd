"""The pages of a withdrawal, with a session and for a guest."""
