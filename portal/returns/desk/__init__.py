"""The staff page on which returns are received."""
