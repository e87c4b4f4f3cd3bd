"""What every subject needs on the retailer's side, while it knows none of them.

Database, sessions, jobs, outbox, mail, PDF, files, limits, and the assembly of the API.
"""
