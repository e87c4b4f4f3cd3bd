"""Cases: the queue in which staff find what customers sent, and the page on which they work on one.

A case adds to a request what only staff need: who handles it, what was promised, internal notes and the history with
persons. Its facts stay with its subject, which tells them through `portal.backend.cases.CaseSubject`.
"""
