"""Mailed links: a link in a mail that confirms a request or asks a question, without a session.

How a link is made, mailed, opened and used once. What a link confirms is the business of its subject.
"""
