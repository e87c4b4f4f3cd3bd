"""What every part of the portal builds on: codes, days, money, addresses, terms, validation, texts.

Pure Python. It imports nothing of the portal and no framework.
"""
