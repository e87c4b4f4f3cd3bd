"""Rules of returns: which units can be returned, until when, and what they are worth."""
