"""Logging in and out, and who a customer is for all other subjects.

By a code in a mail, or by a password where the shop offers them. Changing the e-mail address belongs here too.
"""
