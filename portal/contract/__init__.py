"""What the pages and the retailer's side agree on, whatever the subject.

How an operation is declared and called, the models that all subjects share, the session, and the errors that refuse.
The operations of a subject stand in its own `api`.
"""
