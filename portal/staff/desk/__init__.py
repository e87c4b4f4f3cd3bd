"""Pages about people of the retailer: login, people, audit, and what staff do for customers."""
