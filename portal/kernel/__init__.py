"""Basic rules that every other package uses: codes, days, money, addresses, terms, validation, texts.

It imports no other package of the portal and no framework.
"""
