"""Staff pages of the data that shops send: imports, what was rejected or waits, and differences."""
